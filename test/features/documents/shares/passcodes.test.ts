import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { createTestPdf, uploadDocument } from '../upload.ts';

t.test('protects a link by a passcode, and limits attempts like those for a PIN', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const token = ada.accessToken;
  const { body: document } = await uploadDocument(test, token, createTestPdf(), { title: 'Contract' });
  const share = async (fields: object = {}) => {
    const body = { passcode: 'Öffne 12', ...fields };
    return (await call('POST', `/api/documents/${document.id}/shares`, { token, body })).body;
  };
  const open = (link: string, passcode?: string, remoteAddress = '203.0.113.7') =>
    call('POST', `/api/documents/shared/${link}/open`, { body: { passcode }, remoteAddress });
  const viewsOf = async (id: string) =>
    (await database.client.documentShare.findUniqueOrThrow({ where: { id } })).views;

  await t.test('accepts the right passcode and rejects wrong ones', async (t) => {
    const { token: link, id, passcodeRequired } = await share({ oneTime: true });
    t.equal(passcodeRequired, true);
    const looked = (await call('GET', `/api/documents/shared/${link}`)).body;
    t.match(looked, { title: null, passcodeRequired: true, contentType: 'application/pdf' });
    t.match((await open(link)).body, { status: 403, code: 'PASSCODE_REQUIRED' });
    const trail = await captureAuditEntries(test, async () => {
      const wrong = await open(link, 'öffne 12');
      t.match(wrong.body, { status: 403, code: 'PASSCODE_INCORRECT', attemptsLeft: 4 });
      t.notOk(wrong.text.includes('Contract'));
    });
    t.match(trail, [{ action: 'DOCUMENT_PASSCODE_REJECTED', outcome: 'DENIED', resourceId: document.id }]);
    t.equal(await viewsOf(id), 0, 'a wrong one uses no view up');
    const composed = ' O\u0308ffne \u0661\u0662 ';
    t.equal((await open(link, composed)).status, 200, 'however a keyboard writes it');
    t.equal(await viewsOf(id), 1);
    const { passcodeHash } = await database.client.documentShare.findUniqueOrThrow({ where: { id } });
    t.match(passcodeHash, /^p1:\$2b\$/);
  });

  await t.test('compares five of fifty parallel guesses, and then rejects even the right one', async (t) => {
    const { token: link, id } = await share();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, nth) => open(link, `guess ${nth}`)));
    const statuses = answers.map(({ status }) => status);
    t.equal(statuses.filter((status) => status === 403).length, 5, statuses.join());
    t.ok(answers.every(({ status, headers }) => status === 403 || headers['retry-after']));
    const lefts = answers.flatMap(({ body }) => (body.attemptsLeft === undefined ? [] : [body.attemptsLeft]));
    t.same(lefts.sort(), [0, 1, 2, 3, 4]);
    t.equal((await open(link, 'Öffne 12')).status, 429, 'here no try is left');
    t.equal((await open(link, 'Öffne 12', '198.51.100.9')).status, 200, 'elsewhere there are');
    t.equal(await viewsOf(id), 1);
    const notified = await database.client.notification.findMany({
      where: { userId: ada.id, event: 'document.passcode_rejected' },
    });
    t.match(notified, [{ type: 'ALERT', data: { document: 'Contract', documentId: document.id } }]);
  });

  await t.test('notifies of nothing more when networks use up their reserve', async (t) => {
    const { token: link } = await share();
    for (let network = 1; network <= 4; network++)
      for (let count = 0; count < 5; count++) await open(link, 'wrong one', `198.51.${network}.7`);
    const count = () =>
      database.client.notification.count({ where: { userId: ada.id, event: 'document.passcode_rejected' } });
    const before = await count();
    for (let network = 1; network <= 3; network++)
      t.match((await open(link, 'wrong one', `203.0.${network}.7`)).body, { attemptsLeft: 0 });
    t.equal(await count(), before);
  });
});

t.test('allows three views in 200 parallel accesses, and counts no link previews', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const token = ada.accessToken;
  const { body: document } = await uploadDocument(test, token, createTestPdf(), { title: 'Secret title' });
  const shares = `/api/documents/${document.id}/shares`;
  const { token: link, url, id } = (await call('POST', shares, { token, body: { maxViews: 3 } })).body;
  const path = url.replace('https://qr.example.org', '');
  const row = () => database.client.documentShare.findUniqueOrThrow({ where: { id } });

  for (const agent of MESSENGERS) {
    const headers = { 'user-agent': agent };
    for (const method of ['HEAD', 'GET'])
      for (const address of [path, `/api/documents/shared/${link}`]) {
        const response = await call(method, address, { headers });
        t.ok(response.status < 400, `${method} ${address} ${agent}`);
        const isPage = address === path;
        if (isPage) t.notOk(response.text.includes('Secret title'), agent);
        // An agent that is not a known bot follows the redirect with its cookie.
        const [onward, cookie] = [
          response.headers.location,
          String(response.headers['set-cookie']).split(';')[0] ?? '',
        ];
        if (isPage && onward) {
          const page = await call(method, String(onward), { headers: { ...headers, cookie } });
          t.ok(page.status < 400);
          t.notMatch(page.text, /<(?:title|meta)[^>]*[^<]*Secret title/);
        }
      }
    t.equal((await call('GET', `/api/documents/shared/${link}/open`, { headers })).status, 405);
  }
  t.equal((await row()).views, 0, 'ten messengers have used none up');

  const answers = await Promise.all(
    Array.from({ length: 200 }, () => call('POST', `/api/documents/shared/${link}/open`)),
  );
  const got = (status: number) => answers.filter((answer) => answer.status === status).length;
  t.same([got(200), got(410)], [3, 197]);
  t.equal(new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.contentUrl)).size, 3);
  t.match(await row(), { views: 3 });
  t.equal(await database.client.documentAccess.count({ where: { shareId: id } }), 3);
  const notified = await database.client.notification.count({
    where: { userId: ada.id, event: 'document.opened' },
  });
  t.equal(notified, 3);
  const entries = await database.client.auditEntry.count({ where: { action: 'DOCUMENT_SHARE_OPENED' } });
  t.equal(entries, 3);
});

t.test('notifies the owner of some accesses, and lists all', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const token = ada.accessToken;
  const { body: document } = await uploadDocument(test, token, createTestPdf());
  const { token: link, id } = (
    await call('POST', `/api/documents/${document.id}/shares`, { token, body: {} })
  ).body;
  for (let nth = 0; nth < 8; nth += 1) await call('POST', `/api/documents/shared/${link}/open`);
  const notified = await database.client.notification.count({
    where: { userId: ada.id, event: 'document.opened' },
  });
  t.equal(notified, 5, 'five within an hour');

  const readings = `/api/documents/${document.id}/accesses`;
  const first = (await call('GET', `${readings}?limit=5`, { token })).body;
  t.match(first.data[0], {
    shareId: id,
    reader: null,
    version: 1,
    device: 'phone',
    os: 'iOS',
    browser: 'Safari',
  });
  const second = (await call('GET', `${readings}?limit=5&cursor=${first.pagination.nextCursor}`, { token }))
    .body;
  t.match(second.pagination, { hasMore: false, nextCursor: null });
  const all = [...first.data, ...second.data];
  t.equal(new Set(all.map((row: { id: string }) => row.id)).size, 8);
  const times = all.map((row: { readAt: string }) => row.readAt);
  t.same(times, times.toSorted().reverse(), 'newest first');
});

const MESSENGERS = [
  'WhatsApp/2.23.20.0',
  'TelegramBot (like TwitterBot)',
  'facebookexternalhit/1.1;line-poker/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Twitterbot/1.0',
  'SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Viber/20.0 Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36',
];
