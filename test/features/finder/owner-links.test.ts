import { clearOldFoundDetails } from '../../../src/features/codes/deleted-qrcode.repository.ts';
import { ownerLinkToken } from '../../../src/features/notifications/owner-link.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../src/shared/lifetimes.ts';
import { PHONE_USER_AGENT, TEST_PASSWORD, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import {
  BERLIN_COORDINATE_PATTERN,
  BERLIN_POSITION,
  createTokenHeader,
  startScans,
} from '../scans/helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const LINK_PATTERN = /\/s\/o\/[0-9a-f]{24}\.\d{10}\.[\w-]{43}/;

const test = await startScans(t);
const { call, code, scan, database, owner, services } = test;
const { client } = database;
const token = owner.accessToken;
await database.pool.query(`UPDATE subscription_packages SET limits = limits || '{"memoryTags": null}'`);

const getCookie = (answer: TestResponse) => String(answer.headers['set-cookie']).split(';')[0] ?? '';

interface OpenedLink {
  path: string;
  cookie: string;
}

async function findMailedLink(subject: RegExp): Promise<string> {
  const mail = await test.getMailBySubject(owner.email, subject);
  return LINK_PATTERN.exec(mail?.text ?? '')?.[0] ?? '';
}

/** Exchange a link for its cookie. */
async function openLink(link: string): Promise<OpenedLink> {
  const opened = await call('GET', link);
  if (opened.status !== 303) throw new Error(`${opened.status}: ${opened.text}`);
  return { path: String(opened.headers.location).split('?')[0] ?? '', cookie: getCookie(opened) };
}

const show = ({ path, cookie }: OpenedLink, query = '') =>
  call('GET', `${path}${query}`, { headers: { cookie } });

/** On a busy machine, the first map can take longer than a page waits. */
async function showWithMap(opened: OpenedLink): Promise<TestResponse> {
  const page = await show(opened);
  return page.text.includes('<svg') ? page : show(opened);
}

const press = ({ path, cookie }: OpenedLink, action: string, headers: Record<string, string> = {}) =>
  call('POST', `${path}/${action}?lang=en`, { body: '', headers: { ...FORM, cookie, ...headers } });

async function lostCode(title: string): Promise<string> {
  const id = await code({ title });
  await call('POST', `/api/qrcodes/${id}/lost`, { token, body: { reward: '100 EUR' } });
  return id;
}

const readStatus = async (id: string) => (await client.qrCode.findUniqueOrThrow({ where: { id } })).status;

let visitors = 0;
/** Scan a lost code as a new visitor, and open the link that its owner gets. */
async function openScanLink(title: string, position: object = BERLIN_POSITION) {
  const id = await lostCode(title);
  visitors += 1;
  const scanned = await scan({ qrCodeId: id, ...position }, { remoteAddress: `198.51.100.${visitors}` });
  const link = await findMailedLink(new RegExp(title));
  return { id, scanned, link, opened: await openLink(link) };
}

t.test('the mail of a scan leads to a map without a login', async (t) => {
  const { id, scanned, link, opened } = await openScanLink('Bello');
  const mail = await test.getMailBySubject(owner.email, /Bello/);
  t.match(mail?.text, 'See exactly where it is and what you can do:');
  t.notMatch(mail?.text, /sign in/i);
  const exchanged = await call('GET', link);
  t.match(exchanged.headers.location, /^\/s\/o\/[0-9a-f]{24}\?lang=en$/, 'the token leaves the address');
  t.match(
    String(exchanged.headers['set-cookie']),
    /^__Secure-owner-link=[\w.-]+; Max-Age=3600; Path=\/s\/o\/[0-9a-f]{24}; HttpOnly; Secure; SameSite=Lax$/,
  );

  await call('POST', `/api/scans/public/${scanned.body.scan.id}/location`, {
    headers: createTokenHeader(scanned),
    body: { latitude: 52.39, longitude: 13.06, accuracy: 3_000 },
  });
  const trail = await captureAuditEntries(test, async () => {
    const page = await showWithMap(opened);
    t.equal(page.status, 200, page.text);
    t.match(page.text, 'Lost: “Bello” was scanned');
    t.match(page.text, /<time datetime="[^"]+Z">[^<]+UTC<\/time><br>Phone/);
    t.match(page.text, /<svg [^>]*role="img"[\s\S]*2 places, numbered/);
    t.match(page.text, /<bdi>[^<]*Potsdam[^<]*<\/bdi>/, 'the newest place');
    t.match(page.text, 'Accurate to about 3 km');
    t.match(page.text, '<code dir="ltr">52.39000, 13.06000</code>', 'to copy');
    t.ok(page.text.indexOf('Accurate to') < page.text.indexOf('<svg'), 'words come before the map');
    t.match(page.text, '<summary>All 2 locations</summary>');
    t.match(page.text, 'This code is marked as lost');
    t.notMatch(page.text, link.split('.').at(-1) ?? link, 'no token in the page');
    t.match(page.headers['cache-control'], 'no-store');
    t.match(page.headers['content-security-policy'], /style-src 'sha256-[^']+' 'sha256-/);
    const [frame = ''] = page.text.split('<figure');
    const [, rest = ''] = page.text.split('</svg>');
    t.ok(Buffer.byteLength(frame + rest) < 20_000, 'small beside the map');
  });
  t.same(trail, [], 'reading is recorded as little as in the API');
  for (const [agent, own] of [
    [PHONE_USER_AGENT, /href="(?:geo:52\.390000|https:\/\/maps\.apple\.com)/],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
      'href="geo:52.390000,13.060000"',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1',
      'href="https://maps.apple.com/?q=52.390000,13.060000"',
    ],
    [
      'curl',
      /class="act wide" rel="noopener noreferrer nofollow" href="https:\/\/www.openstreetmap.org\/[^>]*>Show on map</,
    ],
  ] as const) {
    const headers = { cookie: opened.cookie, 'user-agent': agent };
    t.match((await call('GET', opened.path, { headers })).text, own, agent);
  }
  t.equal(await readStatus(id), 'LOST');
});

t.test('opening a link or requesting its buttons by GET changes nothing', async (t) => {
  const { id, link, opened } = await openScanLink('Cleo');
  const trail = await captureAuditEntries(test, async () => {
    for (const action of ['found', 'undo-found', 'pause', 'resume', 'approve', 'hide'])
      t.equal(
        (await call('GET', `${opened.path}/${action}`, { headers: { cookie: opened.cookie } })).status,
        405,
      );
    await call('HEAD', link);
    await call('HEAD', opened.path, { headers: { cookie: opened.cookie } });
    await call('GET', link);
    await show(opened);
  });
  t.same(trail, []);
  t.equal(await readStatus(id), 'LOST');
  t.equal(await client.notification.count({ where: { readAt: { not: null } } }), 0);
});

t.test('buttons mark a code as found, pause it and resume it, as its owner', async (t) => {
  const { id, opened } = await openScanLink('Dora');
  const steps = [
    ['found', 'ACTIVE', 'QRCODE_REPORTED_FOUND', 'This code is active'],
    ['pause', 'PAUSED', 'QRCODE_PAUSED', 'This code is paused'],
    ['resume', 'ACTIVE', 'QRCODE_RESUMED', 'This code is active'],
  ] as const;
  for (const [action, status, audited, text] of steps) {
    const trail = await captureAuditEntries(test, async () => {
      const done = await press(opened, action);
      t.match(done, { status: 303, headers: { location: `${opened.path}?lang=en#answer` } });
      t.equal((await press(opened, action)).status, 303, 'a repeat changes nothing');
    });
    t.match(trail, [{ action: audited, resourceId: id, changes: ['status'] }]);
    t.equal(await readStatus(id), status);
    t.match((await show(opened)).text, `<h2>${text}</h2>`);
  }
  const entries = await client.auditEntry.findMany({
    where: { resourceId: id, action: { in: ['QRCODE_REPORTED_FOUND', 'QRCODE_PAUSED', 'QRCODE_RESUMED'] } },
  });
  t.equal(entries.length, 3);
  t.ok(
    entries.every(({ actorReference }) => actorReference),
    'the owner is the actor',
  );
  t.equal((await press(opened, 'approve')).status, 404, 'a link of a code decides no entry');
});

t.test('marking as found can be undone on the same page, with message, reward and place', async (t) => {
  for (const wasPaused of [false, true]) {
    const { id, opened } = await openScanLink(wasPaused ? 'Undone after a pause' : 'Undone');
    const token = owner.accessToken;
    if (wasPaused) {
      await call('PATCH', `/api/qrcodes/${id}`, { token, body: { status: 'PAUSED' } });
    }
    const details = { message: 'Please call.', reward: '50 €', lastSeen: 'Main station' };
    const lost = (await call('POST', `/api/qrcodes/${id}/lost`, { token, body: details })).body.lost;
    t.equal((await press(opened, 'undo-found')).status, 303, 'nothing to undo yet');
    t.equal(await readStatus(id), 'LOST');
    await press(opened, 'found');
    t.equal(await readStatus(id), wasPaused ? 'PAUSED' : 'ACTIVE');
    const found = await show(opened);
    t.match(found.text, 'Marked as found. The lost notice is down.');
    t.match(found.text, 'Undo, it’s still lost');
    const trail = await captureAuditEntries(test, async () => {
      t.equal((await press(opened, 'undo-found')).status, 303);
      t.equal((await press(opened, 'undo-found')).status, 303, 'a repeat changes nothing');
    });
    t.match(trail, [{ action: 'QRCODE_REPORTED_LOST', resourceId: id, changes: ['status'] }]);
    const read = await call('GET', `/api/qrcodes/${id}`, { token });
    t.match(read.body, { status: 'LOST', lost: { ...lost, ...details } });
    t.notMatch((await show(opened)).text, 'Undo, it');
    await press(opened, 'found');
    t.equal(await readStatus(id), wasPaused ? 'PAUSED' : 'ACTIVE', 'as before the loss');
    const undone = await call('DELETE', `/api/qrcodes/${id}/found`, { token });
    t.match(undone.body, { status: 'LOST', lost: details }, 'by the API, too');
  }
});

t.test(
  'a pause after it was found outlasts an undo, and a change of the status can be undone, too',
  async (t) => {
    const { id, opened } = await openScanLink('Paused later');
    const token = owner.accessToken;
    await press(opened, 'found');
    await press(opened, 'pause');
    await press(opened, 'undo-found');
    await press(opened, 'found');
    t.equal(await readStatus(id), 'PAUSED');
    await call('POST', `/api/qrcodes/${id}/lost`, { token, body: { message: 'Lost again.' } });
    await call('PATCH', `/api/qrcodes/${id}`, { token, body: { status: 'ACTIVE' } });
    t.match((await call('DELETE', `/api/qrcodes/${id}/found`, { token })).body, {
      status: 'LOST',
      lost: { message: 'Lost again.' },
    });
  },
);

t.test('after a week, another loss or a deletion nothing is left to undo', async (t) => {
  const { id, opened } = await openScanLink('Long found');
  const token = owner.accessToken;
  const readDetails = async () => (await client.qrCode.findUniqueOrThrow({ where: { id } })).foundDetails;
  await press(opened, 'found');
  t.ok(await readDetails());
  await call('POST', `/api/qrcodes/${id}/lost`, { token, body: { message: 'Lost again.' } });
  t.equal(await readDetails(), null);
  await press(opened, 'found');
  const week = 7 * 86_400_000;
  await clearOldFoundDetails(client, new Date(Date.now() - week));
  t.ok(await readDetails(), 'kept');
  await client.qrCode.update({ where: { id }, data: { foundAt: new Date(Date.now() - week - 1_000) } });
  await call('PATCH', `/api/qrcodes/${id}`, { token, body: { title: 'Long found, and changed' } });
  await press(opened, 'undo-found');
  t.equal(await readStatus(id), 'ACTIVE', 'too late, whatever was changed since');
  await clearOldFoundDetails(client, new Date(Date.now() - week));
  t.equal(await readDetails(), null);
});

t.test('a paused lost code stays paused when it is found, and a lost one is not paused', async (t) => {
  const { id, opened } = await openScanLink('Emma');
  t.equal((await press(opened, 'pause')).status, 303);
  t.equal(await readStatus(id), 'LOST', 'the report of the loss stays');
  const other = await code({ title: 'Other' });
  await press(opened, 'found');
  t.equal(await readStatus(other), 'ACTIVE');
});

t.test('forms of other sites change nothing', async (t) => {
  const { id, opened } = await openScanLink('Fido');
  const origins: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ];
  for (const headers of origins) t.equal((await press(opened, 'found', headers)).status, 403);
  t.equal((await press({ ...opened, cookie: '' }, 'found')).status, 404, 'without the cookie');
  t.equal(await readStatus(id), 'LOST');
});

t.test('forged, altered, foreign and expired links are refused', async (t) => {
  const { link, opened } = await openScanLink('Gina');
  const [path = '', expires = '', signature = ''] = link.split('.');
  const other = await openScanLink('Hugo');
  const refused = [
    `${path}.${expires}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
    `${path}.${Number(expires) + 1}.${signature}`,
    `${other.link.split('.')[0]}.${expires}.${signature}`,
    `${path}.${expires}`,
    `${path}.${expires}.`,
    `/s/o/${generateId()}.${expires}.${signature}`,
    '/s/o/x',
    `/s/o/${'9'.repeat(2_000)}`,
    `${path}.x.${signature}`,
    opened.path,
  ];
  for (const address of refused) {
    const answer = await call('GET', address);
    t.equal(answer.status, 404, address);
    t.notMatch(answer.text, /Gina|Hugo/);
  }
  const cookie = opened.cookie;
  t.equal(
    (await call('GET', other.opened.path, { headers: { cookie } })).status,
    404,
    'the cookie of another',
  );
  t.equal(
    (await call('POST', `${other.opened.path}/found`, { body: '', headers: { ...FORM, cookie } })).status,
    404,
  );

  const { userId, id: notificationId } = await client.notification.findFirstOrThrow({
    where: { id: path.split('/').at(-1) ?? '' },
  });
  const now = Date.now;
  const key = { notificationId, userId, accessEpoch: 0 };
  const signAt = (at: number) => {
    Date.now = () => at;
    const signed = ownerLinkToken.create(services.fieldCipher, key);
    Date.now = now;
    return `/s/o/${signed}`;
  };
  const lifetimeMs = LIFETIMES_SECONDS.ownerLink * 1_000;
  t.equal((await call('GET', signAt(now() - lifetimeMs + 60_000))).status, 303, 'the last minute');
  t.equal((await call('GET', signAt(now() - lifetimeMs - 1_000))).status, 404, 'expired');
});

t.test('a link ends with its notification and its code', async (t) => {
  const { id, link, opened } = await openScanLink('Ines');
  await call('DELETE', `/api/qrcodes/${id}`, { token });
  t.match(await show(opened), { status: 404, text: 'This link doesn’t work' });
  t.equal((await press(opened, 'found')).status, 404);
  await call('POST', `/api/qrcodes/${id}/restore`, { token });
  t.equal((await show(opened)).status, 200, 'restored');
  await call('DELETE', `/api/notifications/${opened.path.split('/').at(-1)}`, { token });
  t.equal((await call('GET', link)).status, 404, 'dismissed');
});

t.test('says so without a position, and offers no map', async (t) => {
  const { opened } = await openScanLink('Jack', {});
  const page = await show(opened);
  t.match(page, { status: 200, text: 'No location was shared with this scan.' });
  t.notMatch(page.text, /<svg|geo:|Open in a maps app/);
});

t.test('draws no empty field around a place that is known to the street', async (t) => {
  const sharp = await showWithMap((await openScanLink('Nero', BERLIN_POSITION)).opened);
  t.match(
    sharp.text,
    /<code dir="ltr">52.51630, 13.37770<.code>[\s\S]*Accurate to about 12 m[\s\S]*Open in a maps app/,
  );
  t.notMatch(sharp.text, '<svg');
  const vague = { ...BERLIN_POSITION, accuracy: 20_000 };
  t.match(
    (await showWithMap((await openScanLink('Nora', vague)).opened)).text,
    '<svg',
    'the region says more',
  );
});

t.test('shows no content of an emergency card', async (t) => {
  const id = await code({
    kind: 'MEDICAL',
    title: 'Card',
    data: { name: 'Ada', bloodType: 'AB-', allergies: [{ name: 'Peanuts' }] },
  });
  await call('POST', `/api/qrcodes/${id}/lost`, { token, body: {} });
  await scan({ qrCodeId: id, ...BERLIN_POSITION }, { remoteAddress: '198.51.100.200' });
  const link = await findMailedLink(/Card/);
  const trail = await captureAuditEntries(test, async () => {
    const page = await show(await openLink(link));
    t.match(page, { status: 200, text: 'Lost: “Card” was scanned' });
    t.notMatch(page.text, /Peanuts|AB-|Ada/);
  });
  t.same(trail, []);
});

t.test('stops mails of its kind', async (t) => {
  const { opened } = await openScanLink('Kira');
  const page = (await show(opened)).text;
  const action =
    /<form method="post" action="(\/api\/notifications\/unsubscribe\/[^"]+)"/.exec(page)?.[1] ?? '';
  t.match(page, 'Emails about: scans of a lost code.');
  const stopped = await call('POST', action, { body: 'List-Unsubscribe=One-Click', headers: FORM });
  t.match(stopped, { status: 200, text: 'You’re unsubscribed' });
  const settings = await call('GET', '/api/notifications/preferences', { token });
  t.equal(settings.body.preferences['code.scanned_while_lost'].EMAIL, false);
  const preferences = { 'code.scanned_while_lost': { EMAIL: true } };
  await call('PUT', '/api/notifications/preferences', { token, body: { preferences } });
});

t.test('an entry is read, approved and hidden from its mail', async (t) => {
  const data = { name: 'K. Brandt', bornOn: '1931-05-17' };
  const codeId = await code({ kind: 'MEMORY_TAG', title: 'Stone', data });
  const made = await call('POST', '/api/memory-tags', {
    token,
    body: { name: 'Katharina Brandt', qrCodeId: codeId },
  });
  const tagId = made.body.id;
  const page = await call('GET', `/s/${codeId}`);
  const [scanId = ''] = /name="visit" value="([^"]+)"/.exec(page.text)?.[1]?.split('.') ?? [];
  const { createVisitFormToken } = await import('../../../src/features/finder/form-token.ts');
  const now = Date.now;
  Date.now = () => now() - 10_000;
  const visit = createVisitFormToken(services.fieldCipher, codeId, scanId);
  Date.now = now;
  const fields = { visit, message: 'She taught me to <b>read</b>.', name: 'Eva & Jan' };
  await call('POST', `/s/${codeId}/guest-book`, { body: String(new URLSearchParams(fields)), headers: FORM });
  const mail = await test.getMailBySubject(owner.email, /guest book/);
  t.match(mail?.text, 'Read the entry, then approve or hide it:');
  const opened = await openLink(LINK_PATTERN.exec(mail?.text ?? '')?.[0] ?? '');
  const entryPage = (await show(opened)).text;
  t.match(entryPage, 'She taught me to &#60;b&#62;read&#60;/b&#62;.');
  t.match(entryPage, '<bdi>Eva &#38; Jan</bdi>');
  t.match(entryPage, 'Only you can see this entry');
  t.match(entryPage, '>Reject</button>', 'nobody sees it yet');
  const find = () => client.guestBookEntry.findFirstOrThrow({ where: { memoryTagId: tagId } });
  t.match(await find(), { state: 'PENDING' }, 'showing it decides nothing');
  for (const [action, state, audited, text] of [
    ['approve', 'APPROVED', 'GUEST_BOOK_ENTRY_APPROVED', 'This entry is on the page'],
    ['hide', 'HIDDEN', 'GUEST_BOOK_ENTRY_HIDDEN', 'This entry is hidden'],
  ] as const) {
    const trail = await captureAuditEntries(test, async () => {
      t.equal((await press(opened, action)).status, 303);
      await press(opened, action);
    });
    t.match(trail, [{ action: audited, resourceId: tagId }]);
    t.equal(trail.length, 1);
    t.match(await find(), { state });
    const markup = (await show(opened)).text;
    t.match(markup, text);
    t.equal(markup.includes('>Hide</button>'), action === 'approve');
  }
  t.equal((await press(opened, 'pause')).status, 404, 'a link of an entry changes no code');
  t.equal(await readStatus(codeId), 'ACTIVE');
  await client.guestBookEntry.deleteMany({ where: { memoryTagId: tagId } });
  t.equal((await show(opened)).status, 404, 'withdrawn');
  t.equal((await press(opened, 'approve')).status, 404);
});

t.test('an owner in enterprise mode or with a second factor has to log in', async (t) => {
  const { id, link, opened } = await openScanLink('Lotte');
  const setMode = (enterpriseMode: boolean) =>
    client.user.update({ where: { id: owner.id }, data: { enterpriseMode } });
  const expectLogin = async (what: string) => {
    for (const answer of [await call('GET', link), await show(opened), await press(opened, 'found')]) {
      t.match(answer, { status: 403, text: 'Please sign in' }, what);
      t.notMatch(answer.text, /Lotte|<svg/);
      t.notMatch(answer.text, BERLIN_COORDINATE_PATTERN);
      t.notOk(answer.headers['set-cookie']);
    }
  };
  const later = await lostCode('Mona');
  await setMode(true);
  await expectLogin('enterprise mode');
  await scan({ qrCodeId: later }, { remoteAddress: '198.51.100.201' });
  const mail = await test.getMailBySubject(owner.email, /Mona/);
  t.notMatch(mail?.text, /\/s\/o\//, 'a mail without the link');
  t.notMatch(mail?.text, /sign in/i);
  await setMode(false);
  t.equal((await show(opened)).status, 200);
  await client.secondFactor.create({
    data: { userId: owner.id, secret: Buffer.from('x'), confirmedAt: new Date(), lastStep: 1 },
  });
  await expectLogin('a second factor');
  await client.secondFactor.deleteMany();
  t.equal(await readStatus(id), 'LOST');
});

t.test('a link ends with the sessions of its owner, and rests while they are suspended', async (t) => {
  const { id, link, opened } = await openScanLink('Nero');
  for (const status of ['SUSPENDED', 'ACTIVE']) {
    const previousStatus = status === 'SUSPENDED' ? 'ACTIVE' : null;
    await client.user.update({ where: { id: owner.id }, data: { status, previousStatus } });
    t.equal((await show(opened)).status, status === 'ACTIVE' ? 200 : 404, status);
  }
  const body = { currentPassword: TEST_PASSWORD, newPassword: 'another battery of horses' };
  t.equal((await call('POST', '/api/auth/change-password', { token, body })).status, 200);
  for (const answer of [await call('GET', link), await show(opened), await press(opened, 'found')])
    t.match(answer, { status: 404, text: 'or you signed out everywhere' });
  t.equal(await readStatus(id), 'LOST');
});
