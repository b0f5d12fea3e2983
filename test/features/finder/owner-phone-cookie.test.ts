import { deleteEndedOwnerPhones } from '../../../src/features/codes/owner-phones/owner-phone.repository.ts';
import { unlistedPhoneToken } from '../../../src/features/finder/owner-phone-cookie.ts';
import { revokeUserAccess } from '../../../src/features/identity/index.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { startScans } from '../scans/helper.ts';

t.test('an owner marks their own phone with a link that works once', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner, log } = test;
  const id = await code();
  const link = await call('POST', `/api/qrcodes/${id}/test`, { token: owner.accessToken });
  const path = new URL(link.body.url).pathname;
  await database.client.notification.deleteMany();

  t.equal((await call('HEAD', path)).status, 200, 'a HEAD request does not use it up');
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' };
  let cookie = '';
  const trail = await captureAuditEntries(test, async () => {
    const page = await call('GET', path);
    t.equal(page.status, 200, 'any other page could open the link');
    t.equal(page.headers['set-cookie'], undefined);
    t.match(page.text, '<h1>Is this your phone?</h1>');
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page.text) ?? [];
    t.equal(action, `${path}?lang=en`);
    const opened = await call('POST', action, form);
    t.equal(opened.status, 303);
    t.equal(opened.headers.location, `/s/${id}`);
    t.equal(opened.headers['cache-control'], 'no-store');
    const set = String(opened.headers['set-cookie']);
    t.match(set, /^__Secure-own-phone=[^;]+; Max-Age=\d+; Path=\/s; HttpOnly; Secure; SameSite=Lax$/);
    cookie = set.split(';')[0] ?? '';
  });
  t.match(trail, [{ action: 'QRCODE_TEST_LINK_USED', resourceId: id }]);
  t.equal(trail.length, 1);
  t.equal(await database.client.scan.count(), 0);

  for (const again of [await call('GET', path), await call('POST', path, form)]) {
    t.equal(again.status, 404);
    t.match(again.text, 'This test link was already used or has expired');
    t.notOk(again.headers['set-cookie']);
  }
  t.equal((await call('GET', '/s/test/unknown')).status, 404);
  t.notOk(
    log.some((line) => line.includes(path.split('/').at(-1) ?? path)),
    'the token is in no log',
  );

  const classOf = async (codeId: string, header: string) => {
    await call('GET', `/s/${codeId}`, { headers: { cookie: header } });
    return database.client.scan.findFirst({ where: { qrCodeId: codeId }, orderBy: { scannedAt: 'desc' } });
  };
  t.match(await classOf(id, `a=b; ${cookie}; c=d`), { class: 'OWNER', classRule: 'owner-phone' });
  t.match(await classOf(await code(), cookie), { class: 'OWNER' });
  t.equal(await database.client.notification.count(), 0, 'no notification');
  const eve = await test.createUser();
  t.match(
    await classOf(await code({}, eve), cookie),
    { class: 'HUMAN' },
    'codes of other users are not affected',
  );
  const [name = '', value = ''] = cookie.split('=');
  const swapped = `${name}=${value.replace(owner.id, eve.id)}`;
  const ended = `${name}=${value.replace(/\.\d+\./, '.1.')}`;
  for (const forged of [`${cookie}x`, swapped, ended, `own-phone=${value}`, `${name}=`]) {
    const { class: name } = (await classOf(id, forged)) ?? {};
    t.ok(name === 'HUMAN' || name === 'DUPLICATE', `${name}: ${forged}`);
  }
});

t.test('a page on the phone of its owner says that its scan notifies nobody', async (t) => {
  const test = await startScans(t);
  const { call, code, owner } = test;
  const id = await code();
  const { body } = await call('POST', `/api/qrcodes/${id}/test`, { token: owner.accessToken });
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' };
  const opened = await call('POST', new URL(body.url).pathname, form);
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
  const read = async (codeId: string, headers = {}) => (await call('GET', `/s/${codeId}`, { headers })).text;
  const own = await read(id, { cookie });
  t.match(own, 'This phone is marked as yours');
  t.notMatch(own, 'the owner may be notified');
  const stranger = await test.createUser();
  for (const page of [await read(id), await read(await code({}, stranger), { cookie })]) {
    t.notMatch(page, 'This phone is marked as yours');
    t.match(page, 'the owner may be notified');
  }
});

t.test('whatever ends all sessions of an owner voids their phones and unused links', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const id = await code();
  const createLink = async () => {
    const { body } = await call('POST', `/api/qrcodes/${id}/test`, { token: owner.accessToken });
    return new URL(body.url).pathname;
  };
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' };
  const opened = await call('POST', await createLink(), form);
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
  const unused = await createLink();
  await database.transaction((tx) => revokeUserAccess(tx, owner.id, 'ENDED_BY_ADMINISTRATOR'));
  await call('GET', `/s/${id}`, { headers: { cookie } });
  t.match(await database.client.scan.findFirst({ where: { qrCodeId: id } }), { class: 'HUMAN' });
  const [random, epoch] = unused.split('.');
  for (const path of [unused, `${random}.${Number(epoch) + 1}`]) {
    t.equal((await call('GET', path)).status, 404, 'the epoch is part of what is hashed');
    t.equal((await call('POST', path, form)).status, 404);
  }
});

t.test('marked phones are listed, and removing one ends its mark', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const id = await code();
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' };
  const mark = async (userAgent: string) => {
    const { body } = await call('POST', `/api/qrcodes/${id}/test`, { token: owner.accessToken });
    const headers = { ...form.headers, 'user-agent': userAgent };
    const opened = await call('POST', new URL(body.url).pathname, { ...form, headers });
    return String(opened.headers['set-cookie']).split(';')[0] ?? '';
  };
  const list = async () => (await call('GET', '/api/own-phones', { token: owner.accessToken })).body.data;
  const findClass = async (cookie: string, scannedId?: string) => {
    const qrCodeId = scannedId ?? (await code());
    await call('GET', `/s/${qrCodeId}`, { headers: { cookie } });
    return (await database.client.scan.findFirstOrThrow({ where: { qrCodeId } })).class;
  };
  t.same(await list(), []);
  const phone = await mark(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  );
  await mark('other');
  const [other, marked] = await list();
  t.match(marked, { name: 'Safari (iOS)', lastScannedOn: null });
  t.notMatch(marked.name, /\d/, 'no version');
  t.equal(await findClass(phone), 'OWNER');
  const [, scanned] = await list();
  t.match(scanned.lastScannedOn, /^\d{4}-\d{2}-\d{2}$/);
  t.match((await list())[0], { id: other.id, lastScannedOn: null });

  const eve = await test.createUser();
  const remove = (token: string) => call('DELETE', `/api/own-phones/${marked.id}`, { token });
  t.equal((await remove(eve.accessToken)).status, 404);
  const trail = await captureAuditEntries(test, async () => {
    t.match(await remove(owner.accessToken), { status: 200, body: { id: marked.id, deleted: true } });
  });
  t.match(trail, [{ action: 'OWNER_PHONE_REMOVED', outcome: 'SUCCESS' }]);
  t.equal((await remove(owner.accessToken)).status, 404);
  t.equal(await findClass(phone), 'HUMAN');
  t.equal((await list()).length, 1);

  const { accessEpoch } = await database.client.user.findUniqueOrThrow({ where: { id: owner.id } });
  const old = unlistedPhoneToken.create(test.services.fieldCipher, { accountId: owner.id, accessEpoch });
  t.equal(await findClass(`__Secure-own-phone=${old}`), 'OWNER', 'marked before phones had rows');
  const last = await code();
  await database.transaction((tx) => revokeUserAccess(tx, owner.id, 'ENDED_BY_ADMINISTRATOR'));
  t.equal(await findClass(`__Secure-own-phone=${old}`, last), 'HUMAN');
  t.equal(await deleteEndedOwnerPhones(database.client), 1, 'the other one has ended as well');
});
