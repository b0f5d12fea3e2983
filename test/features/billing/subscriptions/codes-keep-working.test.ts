import { t } from '../../../tap.ts';
import { createTokenHeader, startScans } from '../../scans/helper.ts';
import {
  addSubscription,
  cancelTestSubscription,
  insertCodes,
  setPackageLimit,
} from './subscription-helper.ts';

t.test('codes keep working after a card expired', async (t) => {
  const app = await startScans(t);
  const { call, code, scan, owner, database } = app;
  const token = owner.accessToken;
  const subscription = await addSubscription(app, owner.id, 'PERSONAL');
  const first = await code();
  await insertCodes(app, owner.id, 57);
  // The first code becomes the oldest.
  await database.client.qrCode.update({ where: { id: first }, data: { createdAt: new Date('2020-01-01') } });
  const pin = await code({ title: 'Last but one', pin: '1234' });
  const last = await code({ title: 'Last' });
  const path = `/api/qrcodes/${last}`;
  const read = async (id: string) => (await call('GET', `/api/qrcodes/${id}`, { token })).body;
  const change = (id: string, body: object) => call('PATCH', `/api/qrcodes/${id}`, { token, body });
  t.equal((await read(last)).readOnly, false);
  await cancelTestSubscription(app, subscription);

  await t.test('a visitor scans it and writes, the owner reads and replies', async (t) => {
    t.equal((await call('GET', `/s/${last}`)).status, 200);
    const scanned = await scan({ qrCodeId: last });
    t.equal(scanned.status, 201, scanned.text);
    const message = await call('POST', '/api/conversations/public', {
      body: { scanId: scanned.body.scan.id, message: 'I found it.' },
      headers: createTokenHeader(scanned),
    });
    t.equal(message.status, 201, message.text);
    const answer = await call('POST', `/api/conversations/${message.body.id}/messages`, {
      token,
      body: { message: 'Thank you.' },
    });
    t.equal(answer.status, 201, answer.text);
    const opened = await scan({ qrCodeId: pin, pin: '1234' });
    t.equal(opened.body.scan.unlocked ?? true, true, opened.text);
    const body = await read(last);
    t.match(body, { readOnly: true, status: 'ACTIVE', data: { name: 'Rex' } });
    t.ok(body.scanCount > 0);
    t.equal((await call('GET', `${path}/stats`, { token })).status, 200);
    t.equal((await call('GET', `${path}/image`, { token })).status, 200);
  });

  await t.test('the owner can still change its status', async (t) => {
    for (const [body, status] of [
      [{ status: 'PAUSED' }, 'PAUSED'],
      [{ status: 'ACTIVE' }, 'ACTIVE'],
      [{ contactable: false, notifyOn: 'ONLY_LOST' }, 'ACTIVE'],
    ] as const) {
      const answer = await change(last, body);
      t.match([answer.status, answer.body], [200, { status, readOnly: true }], answer.text);
    }
    const lost = await call('POST', `${path}/lost`, { token, body: { message: 'Please call.' } });
    t.match(lost.body, { status: 'LOST', readOnly: true });
    t.match((await call('GET', `/s/${last}`)).text, 'Please call.');
    t.match((await call('POST', `${path}/found`, { token })).body, { status: 'ACTIVE', readOnly: true });
    t.equal((await call('POST', `${path}/test`, { token })).status, 201);
    const asRead = await read(last);
    const whole = await call('PUT', path, { token, body: asRead });
    t.equal(whole.status, 200, 'what is sent as it was read changes nothing');
  });

  await t.test('its content is read-only', async (t) => {
    const before = await read(last);
    for (const body of [
      { data: { name: 'Max', species: 'Dog' } },
      { title: 'Another' },
      { visibility: { name: 'PRIVATE' } },
      { design: { size: 300 } },
      { pin: '4321' },
      { expiresAt: '2099-01-01T00:00:00Z' },
      { status: 'PAUSED', title: 'Another' },
    ]) {
      const refused = await change(last, body);
      t.match([refused.status, refused.body], [403, { code: 'PLAN_LIMIT_REACHED' }], JSON.stringify(body));
      t.match(refused.body, { limit: 'qrCodes', used: 60, allowed: 50, largerPackage: { code: 'PERSONAL' } });
      t.match(refused.body.detail, 'it keeps working');
    }
    t.equal((await change(pin, { pin: null })).status, 403, 'nor its PIN taken away');
    t.same(await read(last), before);
    t.equal((await change(first, { title: 'Oldest' })).body.readOnly, false);
  });

  await t.test('the 50 oldest codes are within the limit', async (t) => {
    const rows = await database.client.qrCode.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
    const flags = await Promise.all(
      rows.map((row) => app.services.isReadOnly(database.client, 'qrCodes', row)),
    );
    t.same(
      flags,
      rows.map((_, place) => place >= 50),
    );
  });

  await t.test('deleting codes or subscribing again makes others editable', async (t) => {
    const rows = await database.client.qrCode.findMany({ where: { title: 'Copy' }, take: 9 });
    for (const { id } of rows) t.equal((await call('DELETE', `/api/qrcodes/${id}`, { token })).status, 200);
    t.same([(await read(pin)).readOnly, (await read(last)).readOnly], [false, true]);
    t.equal((await change(last, { title: 'Another' })).status, 403);
    const again = await addSubscription(app, owner.id, 'FAMILY', { state: 'TRIALING' });
    t.match((await change(last, { title: 'Another' })).body, { title: 'Another', readOnly: false });
    await cancelTestSubscription(app, again);
    t.equal((await call('DELETE', path, { token })).status, 200);
    t.equal((await call('POST', `${path}/restore`, { token })).status, 403, 'there is no room for it');
    await call('DELETE', `/api/qrcodes/${pin}`, { token });
    t.match((await call('POST', `${path}/restore`, { token })).body, { readOnly: false });
  });
});

t.test('a memory tag beyond the limit can be read and deleted', async (t) => {
  const app = await startScans(t);
  const { call, owner } = app;
  const token = owner.accessToken;
  const subscription = await addSubscription(app, owner.id, 'PERSONAL');
  const made: string[] = [];
  for (const name of ['one', 'two', 'three'])
    made.push(
      (await call('POST', '/api/memory-tags', { token, body: { name, bornOn: '1931-02-03' } })).body.id,
    );
  await setPackageLimit(app, 'FREE', { memoryTags: 2 });
  // The id decides between equal times.
  await app.database.pool.query("UPDATE memory_tags SET created_at = '2026-01-01'");
  const beyond = `/api/memory-tags/${made.toSorted().at(-1)}`;
  const within = `/api/memory-tags/${made.toSorted().at(1)}`;
  t.equal((await call('GET', beyond, { token })).body.readOnly, false);
  await cancelTestSubscription(app, subscription);
  const { body } = await call('GET', beyond, { token });
  t.equal(body.readOnly, true);
  for (const update of [{ name: 'other' }, { bornOn: null }, { story: 'A life.' }]) {
    const refused = await call('PATCH', beyond, { token, body: update });
    t.match([refused.status, refused.body.code], [403, 'PLAN_LIMIT_REACHED'], refused.text);
    t.match(refused.body, { limit: 'memoryTags', used: 3, allowed: 2 });
  }
  t.match((await call('PUT', beyond, { token, body })).body, { readOnly: true }, 'as it was read');
  t.match((await call('PUT', within, { token, body: { name: 'other' } })).body, { readOnly: false });
  t.equal((await call('DELETE', within, { token })).status, 200);
  t.match((await call('PUT', beyond, { token, body: { name: 'other' } })).body, {
    name: 'other',
    readOnly: false,
  });
});
