import { generateAbsentId, startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { createTestPdf, uploadDocument } from '../upload.ts';

t.test('opens a document by a link within the limits of its owner', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const token = ada.accessToken;
  const content = createTestPdf('the certificate');
  const { body: document } = await uploadDocument(test, token, content, { title: 'Certificate' });
  const shares = `/api/documents/${document.id}/shares`;
  const share = async (body: object) => {
    const made = await call('POST', shares, { token, body });
    t.equal(made.status, 201, made.text);
    const { token: _link, url: _url, ...stored } = made.body;
    t.same((await call('GET', String(made.headers.location), { token })).body, stored, 'without the link');
    return made.body;
  };
  const preview = (link: string) => call('GET', `/api/documents/shared/${link}`);
  const open = (link: string, body?: object, headers = {}) =>
    call('POST', `/api/documents/shared/${link}/open`, { body, headers });
  const pathOf = (url: string) => url.replace('https://qr.example.org', '');

  await t.test('previews, opens and reads a document, also in ranges', async (t) => {
    const trail = await captureAuditEntries(test, async () => {
      const made = await share({ maxViews: 2, expiresInSeconds: 3600 });
      t.match(made, {
        documentId: document.id,
        status: 'ACTIVE',
        views: 0,
        viewsLeft: 2,
        lastOpenedAt: null,
      });
      t.match(made.token, /^[A-Za-z0-9_-]{43}$/);
      t.equal(made.url, `https://qr.example.org/s/d/${made.token}`);
      const looked = await preview(made.token);
      t.match(looked.body, {
        title: 'Certificate',
        contentType: 'application/pdf',
        size: content.length,
        passcodeRequired: false,
        expiresAt: made.expiresAt,
        viewsLeft: 2,
      });
      const opened = await open(made.token);
      t.equal(opened.status, 200, opened.text);
      t.equal(opened.body.expiresIn, 300);
      const path = pathOf(opened.body.contentUrl);
      t.equal((await call('GET', path)).text, content.toString());
      const range = await call('GET', path, { headers: { range: 'bytes=2-5' } });
      t.equal(range.status, 206);
      t.equal(range.text, content.toString().slice(2, 6));
      t.match(range.headers, {
        'content-disposition': /^attachment/,
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'content-security-policy': /sandbox/,
      });
      t.equal((await call('HEAD', path)).headers['content-length'], String(content.length));
      t.match((await preview(made.token)).body, { viewsLeft: 1 }, 'reading in parts is one view');
    });
    t.same(
      trail.map(({ action }) => action),
      ['DOCUMENT_SHARED', 'DOCUMENT_SHARE_OPENED'],
    );
    t.same(
      trail.map(({ resourceId }) => resourceId),
      [document.id, document.id],
    );
  });

  await t.test('stores the token nowhere in the database', async (t) => {
    const { token: secret, id } = await share({});
    const row = await database.client.documentShare.findUniqueOrThrow({ where: { id } });
    t.notOk(JSON.stringify(row).includes(secret));
    t.notOk(Buffer.from(row.tokenHash).toString('base64url').includes(secret));
    t.notOk((await call('GET', shares, { token })).text.includes(secret));
  });

  await t.test('opens a one-time link once', async (t) => {
    const { token: link, id } = await share({ oneTime: true });
    t.equal((await open(link)).status, 200);
    const again = await open(link);
    t.equal(again.status, 410);
    t.equal(again.body.code, 'SHARE_USED_UP');
    t.notOk(again.text.includes('Certificate'));
    t.equal((await preview(link)).body.code, 'SHARE_USED_UP');
    const listed = (await call('GET', shares, { token })).body.data.find(
      (row: { id: string }) => row.id === id,
    );
    t.match(listed, { status: 'USED_UP', views: 1, viewsLeft: 0, lastOpenedAt: String });
  });

  await t.test('expires together with its downloads', async (t) => {
    const { token: link, id } = await share({ expiresInSeconds: 60 });
    const opened = (await open(link)).body;
    t.ok(opened.expiresIn <= 60, 'a ticket lasts no longer than its share');
    await database.client.documentShare.update({ where: { id }, data: { expiresAt: new Date() } });
    t.match((await preview(link)).body, { status: 410, code: 'SHARE_EXPIRED' });
    t.match((await open(link)).body, { status: 410, code: 'SHARE_EXPIRED' });
    t.equal((await call('GET', pathOf(opened.contentUrl))).status, 404);
  });

  await t.test('ends immediately, together with its downloads', async (t) => {
    const { token: link, id } = await share({});
    const { contentUrl } = (await open(link)).body;
    t.equal((await call('GET', pathOf(contentUrl))).status, 200);
    const trail = await captureAuditEntries(test, async () => {
      t.match((await call('DELETE', `${shares}/${id}`, { token })).body, { id, status: 'ENDED' });
      t.equal((await call('DELETE', `${shares}/${id}`, { token })).status, 200, 'what has ended has ended');
    });
    t.same(
      trail.map(({ action }) => action),
      ['DOCUMENT_SHARE_ENDED'],
    );
    for (const answer of [
      await preview(link),
      await open(link),
      await preview('x'.repeat(43)),
      await preview('short'),
    ])
      t.match(answer.body, { status: 404, code: 'NOT_FOUND' });
    t.equal((await call('GET', pathOf(contentUrl))).status, 404);
  });

  await t.test('binds a ticket to one access, and expires it', async (t) => {
    const { token: link } = await share({});
    const [one, other] = [(await open(link)).body.contentUrl, (await open(link)).body.contentUrl];
    const idOf = (url: string) => /tickets\/([0-9a-f]{24})\./.exec(url)?.[1] ?? '';
    const mixed = pathOf(one).replace(idOf(one), idOf(other));
    t.equal((await call('GET', mixed)).status, 404);
    t.equal((await call('GET', `/api/documents/tickets/${idOf(one)}/content`)).status, 404);
    const readAt = new Date(Date.now() - 301_000);
    await database.client.documentAccess.update({ where: { id: idOf(one) }, data: { readAt } });
    t.equal((await call('GET', pathOf(one))).status, 404);
    t.equal((await call('GET', pathOf(other))).status, 200);
  });

  await t.test('replays a request with the same Idempotency-Key', async (t) => {
    const headers = { 'idempotency-key': 'the-same-share-again' };
    const [one, other] = [
      await call('POST', shares, { token, body: { passcode: 'open sesame' }, headers }),
      await call('POST', shares, { token, body: { passcode: 'open sesame' }, headers }),
    ];
    t.same(other.body, one.body);
    t.equal(other.headers['idempotency-replayed'], 'true');
    const link = one.body.token;
    const key = { 'idempotency-key': 'the-same-opening-again' };
    const openings = [
      await open(link, { passcode: 'open sesame' }, key),
      await open(link, { passcode: 'open sesame' }, key),
    ];
    t.equal(openings[0]?.body.contentUrl, openings[1]?.body.contentUrl);
    t.match((await open(link, {}, key)).body, { code: 'PASSCODE_REQUIRED' }, 'not without the passcode');
    t.match((await open(link, { passcode: 'wrong one' }, key)).body, { code: 'PASSCODE_INCORRECT' });
    t.match(await database.client.documentShare.findUniqueOrThrow({ where: { id: one.body.id } }), {
      views: 1,
    });
  });

  await t.test('counts no view while the malware check is pending', async (t) => {
    const { token: link, id } = await share({ oneTime: true });
    const mark = (malwareCheck: string) =>
      database.client.documentVersion.updateMany({ data: { malwareCheck } });
    await mark('WAITING');
    t.match((await open(link)).body, { status: 409, code: 'FILE_CHECK_PENDING' });
    await mark('NOT_CHECKED');
    t.match(await database.client.documentShare.findUniqueOrThrow({ where: { id } }), { views: 0 });
    t.equal((await open(link)).status, 200);
  });

  await t.test('validates each field of a new share', async (t) => {
    const { body: pet } = await call('POST', '/api/qrcodes', {
      token,
      body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
    });
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const wrong: [object, string][] = [
      [{ passcode: 'abc' }, 'passcode TOO_SHORT'],
      [{ passcode: ' abc ' }, 'passcode TOO_SHORT'],
      [{ passcode: 'x'.repeat(65) }, 'passcode TOO_LONG'],
      [{ maxViews: 0 }, 'maxViews TOO_SMALL'],
      [{ maxViews: 2, oneTime: true }, 'maxViews NOT_ALLOWED'],
      [{ expiresInSeconds: 59 }, 'expiresInSeconds TOO_SMALL'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt BAD_FORMAT'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt IN_THE_PAST'],
      [{ expiresAt: '2999-01-01T00:00:00Z' }, 'expiresAt TOO_LARGE'],
      [{ expiresAt: inAnHour, expiresInSeconds: 60 }, 'expiresAt NOT_ALLOWED'],
      [{ qrCodeId: pet.id }, 'qrCodeId NOT_ALLOWED'],
    ];
    for (const [body, expected] of wrong) {
      const { errors = [], status } = (await call('POST', shares, { token, body })).body;
      t.equal(
        `${status} ${errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`)}`,
        `400 ${expected}`,
      );
    }
    t.equal((await call('POST', shares, { token, body: { qrCodeId: generateAbsentId() } })).status, 404);
    const byClock = await call('POST', shares, { token, body: { expiresAt: inAnHour } });
    t.match(byClock, { status: 201, body: { expiresAt: inAnHour, status: 'ACTIVE' } });
  });
});
