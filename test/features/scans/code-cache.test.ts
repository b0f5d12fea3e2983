import { setTimeout as wait } from 'node:timers/promises';
import { PHONE_USER_AGENT, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { BERLIN_POSITION, createTokenHeader, startScans } from './helper.ts';

t.test('a scan shows the current version of a code, even while it changes', async (t) => {
  const test = await startScans(t);
  const { call, owner, code, scan, database } = test;
  const id = await code({ visibility: { name: 'PUBLIC' } });
  const names: string[] = ['Rex'];
  // Requests overlap the change: either name is valid.
  for (let change = 1; change <= 20; change++) {
    const before = names.length - 1;
    const scans = Array.from({ length: 8 }, () => scan({ qrCodeId: id }));
    const name = `Rex ${change}`;
    const changed = await call('PATCH', `/api/qrcodes/${id}`, {
      token: owner.accessToken,
      body: { data: { name, species: 'Dog' } },
    });
    t.equal(changed.status, 200, changed.text);
    names.push(name);
    const after = await scan({ qrCodeId: id });
    t.equal(after.body.profile.name, name, 'no old content after the response to the change');
    for (const { status, body } of await Promise.all(scans)) {
      t.equal(status, 201);
      t.ok(names.indexOf(body.profile.name) >= before);
    }
  }
  t.equal(await database.client.scan.count(), 20 * 9);
});

t.test('a cached code shows nothing after its owner pauses, locks or deletes it', async (t) => {
  const test = await startScans(t);
  const { call, owner, code, scan, database } = test;
  const id = await code();
  const { accessToken: token } = owner;
  const scanned = async (): Promise<TestResponse> => scan({ qrCodeId: id });
  const change = async (body: object) =>
    t.equal((await call('PATCH', `/api/qrcodes/${id}`, { token, body })).status, 200);

  t.equal((await scanned()).status, 201);
  await change({ status: 'PAUSED' });
  t.match(await scanned(), { status: 410, body: { code: 'CODE_PAUSED' } });
  await change({ status: 'ACTIVE' });
  t.equal((await scanned()).status, 201);
  await change({ pin: '4711', visibility: { name: 'PIN' } });
  t.match(await scanned(), { status: 201, body: { pinRequired: true, profile: {} } });
  t.notMatch((await scanned()).text, 'Rex');
  t.equal((await scan({ qrCodeId: id, pin: '4711' })).body.profile.name, 'Rex');
  t.notMatch((await scanned()).text, 'Rex', 'content unlocked for one visitor is not shown to the next');
  await database.client.qrCode.update({ where: { id }, data: { expiresAt: new Date(), version: 99 } });
  t.match(await scanned(), { body: { code: 'CODE_EXPIRED' } });
  await change({ expiresAt: null });
  t.equal((await scanned()).status, 201);
  // Cached shortly before its expiry, which the owner then extends.
  const soon = new Date(Date.now() + 400);
  await change({ expiresAt: soon.toISOString() });
  t.equal((await scanned()).status, 201);
  await wait(450);
  t.match(await scanned(), { status: 410, body: { code: 'CODE_EXPIRED' } });
  await change({ expiresAt: null });
  t.equal((await scanned()).status, 201);
  t.equal((await call('DELETE', `/api/qrcodes/${id}`, { token })).status, 200);
  t.equal((await scanned()).status, 404);
});

t.test('the first block of an owner reaches a cached code at once', async (t) => {
  const test = await startScans(t);
  const { call, owner, code, scan, database } = test;
  const id = await code();
  const first = await scan({ qrCodeId: id });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: first.body.scan.id, message: 'x' },
    headers: createTokenHeader(first),
  });
  t.equal(opened.status, 201, opened.text);
  t.equal((await scan({ qrCodeId: id, ...BERLIN_POSITION })).status, 201, 'the code is cached');
  const blocked = await call('POST', `/api/conversations/${opened.body.id}/block`, {
    token: owner.accessToken,
  });
  t.match(blocked.body, { blocked: true });
  await database.client.notification.deleteMany();
  const scanned = await scan(
    { qrCodeId: id, ...BERLIN_POSITION },
    { headers: { 'user-agent': `${PHONE_USER_AGENT} another` } },
  );
  t.equal(scanned.status, 201, scanned.text);
  const row = await database.client.scan.findUniqueOrThrow({ where: { id: scanned.body.scan.id } });
  t.match(row, { position: null, city: null, class: 'HUMAN' });
  t.equal(await database.client.notification.count(), 0);
});
