import { rollUpScanCounts } from '../../../src/features/scans/statistics/roll-up.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { setPackageLimit } from '../billing/subscriptions/subscription-helper.ts';
import { createSolidPicture } from '../files/pictures/hostile-pictures.ts';
import { createGalleryClient } from '../memory-tags/gallery-helper.ts';
import { BERLIN_POSITION, createTokenHeader, startScans } from '../scans/helper.ts';
import { moveTestCode } from './move-helper.ts';

const test = await startScans(t);
const { call, code, createUser, database, owner, scan } = test;
await setPackageLimit(test, 'FREE', { qrCodes: null, memoryTags: null });
const { pool } = database;
const token = owner.accessToken;
const receiver = await createUser();
const small = await createSolidPicture(40, 30).jpeg().toBuffer();
const ownGallery = createGalleryClient(test, token, '/api/qrcodes');
const newGallery = createGalleryClient(test, receiver.accessToken, '/api/qrcodes');

const scanAt = (qrCodeId: string, options: { remoteAddress?: string } = {}) =>
  call('POST', '/api/scans/geocoded', { body: { qrCodeId, ...BERLIN_POSITION }, ...options });

const readRow = async (id: string) =>
  (await pool.query('SELECT * FROM qr_codes WHERE id = $1', [id])).rows[0];

async function createUsedCode(body: Record<string, unknown> = {}) {
  const id = await code({ externalId: generateId(), metadata: { shelf: 'A' }, ...body });
  const scanned = await scanAt(id);
  if (scanned.status !== 201) throw new Error(scanned.text);
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: scanned.body.scan.id, message: 'He is in the park.', name: 'Eva' },
    headers: createTokenHeader(scanned),
  });
  if (opened.status !== 201) throw new Error(opened.text);
  return { id, scanId: scanned.body.scan.id as string, conversation: opened.body };
}

t.test('a code goes to another account with all that belongs to it', async (t) => {
  const { id, scanId, conversation } = await createUsedCode();
  const picture = (await ownGallery.add(id, small, { caption: 'Left ear folded' })).body;
  await ownGallery.get(`${picture.url}?w=320`);
  const deleted = (await ownGallery.add(id, small)).body;
  await call('DELETE', deleted.url, { token });
  await call('POST', `/api/qrcodes/${id}/test-links`, { token });
  await call('PATCH', `/api/qrcodes/${id}`, { token, body: { pin: '4711' } });
  await database.forAccount(owner.id).client.reportSchedule.create({
    data: {
      accountId: owner.id,
      userId: owner.id,
      qrCodeId: id,
      frequency: 'WEEKLY',
      hour: 7,
      nextSendAt: new Date(Date.now() + DAY_MS),
    },
  });
  const before = (await call('GET', `/api/qrcodes/${id}`, { token })).body;
  const rowBefore = await readRow(id);

  await moveTestCode(test, id, [owner.id, receiver.id], 'KEEP');

  t.equal((await call('GET', `/api/qrcodes/${id}`, { token })).status, 404);
  const after = (await call('GET', `/api/qrcodes/${id}`, { token: receiver.accessToken })).body;
  const ids = { accountId: receiver.id, ownerId: receiver.id };
  t.same(
    { ...after, updatedAt: before.updatedAt },
    { ...before, ...ids },
    'id, number, image, version and content',
  );
  const { account_id, updated_at, data, ...row } = await readRow(id);
  const { account_id: _a, updated_at: _u, data: _d, ...previous } = rowBefore;
  t.same(row, previous);
  t.equal(account_id, receiver.id);

  t.match(await newGallery.list(id), [{ id: picture.id, caption: 'Left ear folded' }]);
  for (const url of [picture.url, `${picture.url}?w=320`])
    t.match(await newGallery.get(url), { status: 200 }, url);
  const scans = (await call('GET', `/api/scans?qrCodeId=${id}`, { token: receiver.accessToken })).body.data;
  t.match(scans, [{ id: scanId }]);
  const details = await call('GET', `/api/scans/${scanId}`, { token: receiver.accessToken });
  t.match(details.body, { location: { latitude: BERLIN_POSITION.latitude } });
  t.notMatch((await call('GET', `/api/scans/${scanId}`, { token })).text, 'latitude');
  const messages = await call('GET', `/api/conversations/${conversation.id}/messages`, {
    token: receiver.accessToken,
  });
  t.match(messages.body.data, [{ message: 'He is in the park.' }]);
  const reply = await call('POST', `/api/conversations/${conversation.id}/messages`, {
    token: receiver.accessToken,
    body: { message: 'Thank you!' },
  });
  t.equal(reply.status, 201, reply.text);
  const asFinder = await call('GET', `/api/conversations/public/${conversation.id}/messages`, {
    headers: { 'x-conversation-token': conversation.conversationToken },
  });
  t.equal(asFinder.body.data.length, 2, 'the finder goes on');

  const { rows } = await pool.query(
    `SELECT (SELECT count(*)::int FROM test_links WHERE qr_code_id = $1) AS links,
            (SELECT count(*)::int FROM notifications WHERE account_id = $2 AND data ->> 'qrCodeId' = $1) AS notifications`,
    [id, owner.id],
  );
  t.same(rows, [{ links: 0, notifications: 0 }]);
  t.equal(
    await database.forEveryAccount('COMMAND').client.reportSchedule.count({ where: { qrCodeId: id } }),
    0,
  );
  const since = new Date(Date.now() - DAY_MS).toISOString();
  const changes = (await call('GET', `/api/qrcodes?updatedSince=${since}`, { token })).body;
  t.ok(changes.deleted.some((deletion: { id: string }) => deletion.id === id));
  const ofReceiver = (
    await call('GET', `/api/qrcodes?updatedSince=${since}`, { token: receiver.accessToken })
  ).body;
  t.ok(ofReceiver.data.some((item: { id: string }) => item.id === id));
  for (const user of [owner, receiver]) {
    const events = await call('GET', '/api/events?type=code.transferred', { token: user.accessToken });
    t.match(events.body.data, [{ type: 'code.transferred', data: { id, version: before.version } }]);
  }
  const trail = await database.client.auditEntry.findMany({
    where: { resourceId: id, action: { in: ['QRCODE_TRANSFERRED', 'QRCODE_RECEIVED'] } },
    orderBy: { action: 'asc' },
  });
  t.same(
    trail.map(({ action }) => action),
    ['QRCODE_RECEIVED', 'QRCODE_TRANSFERRED'],
  );
  t.not(trail[0]?.subjectReference, trail[1]?.subjectReference, 'about the data of each account');
  const again = await scanAt(id, { remoteAddress: '198.51.100.7' });
  t.equal(again.status, 201);
  await moveTestCode(test, id, [receiver.id, owner.id], 'KEEP');
  t.equal((await call('GET', `/api/scans?qrCodeId=${id}`, { token })).body.data.length, 2, 'and back');
});

t.test('the counts of both accounts are those of their codes and scans', async (t) => {
  const [first, second] = [await createUser(), await createUser()];
  const id = await code({}, first);
  for (const host of [1, 2, 3]) await scan({ qrCodeId: id }, { remoteAddress: `198.51.${host}.9` });
  const rollUp = () => rollUpScanCounts(database, { until: new Date(Date.now() + DAY_MS) });
  const readTotals = async () => {
    await rollUp();
    const { rows } = await pool.query<{ id: string; codes: number; scans: number }>(
      `SELECT id, coalesce((SELECT active FROM qr_code_counts WHERE account_id = id), 0) AS codes,
              coalesce((SELECT total::int FROM owner_scan_counts WHERE account_id = id), 0) AS scans
       FROM unnest($1::text[]) WITH ORDINALITY AS input (id, place) ORDER BY place`,
      [[first.id, second.id]],
    );
    return rows.map(({ codes, scans }) => [codes, scans]);
  };
  t.same(await readTotals(), [
    [1, 3],
    [0, 0],
  ]);
  await moveTestCode(test, id, [first.id, second.id], 'KEEP');
  t.same(await readTotals(), [
    [0, 0],
    [1, 3],
  ]);
  const { body } = await call('GET', `/api/qrcodes/${id}/stats`, { token: second.accessToken });
  t.match(body, { total: 3 });
  await moveTestCode(test, id, [second.id, first.id], 'CUT');
  t.same(await readTotals(), [
    [1, 0],
    [0, 0],
  ]);
});

t.test('without its history a code goes alone', async (t) => {
  const { id } = await createUsedCode();
  const picture = (await ownGallery.add(id, small)).body;
  await call('DELETE', (await ownGallery.add(id, small)).body.url, { token });
  await moveTestCode(test, id, [owner.id, receiver.id], 'CUT');
  const options = { token: receiver.accessToken };
  t.match((await call('GET', `/api/qrcodes/${id}`, options)).body, { externalId: null, metadata: {} });
  t.match(await newGallery.list(id), [{ id: picture.id }]);
  t.same((await call('GET', `/api/scans?qrCodeId=${id}`, options)).body.data, []);
  for (const table of ['scans', 'conversations', 'deleted_pictures', 'scan_counts', 'scan_visitors'])
    t.same((await pool.query(`SELECT FROM ${table} WHERE qr_code_id = $1`, [id])).rowCount, 0, table);
});

t.test('a memorial goes with its memory tag, its guest book and the key of each entry', async (t) => {
  const organizationId = await insertOrganization(test, { members: [{ userId: owner.id, role: 'OWNER' }] });
  const id = await code({ kind: 'MEMORY_TAG', title: 'Stone', data: { name: 'K. Brandt' } });
  const tag = (
    await call('POST', '/api/memory-tags', { token, body: { name: 'Katharina Brandt', qrCodeId: id } })
  ).body;
  const gallery = createGalleryClient(test, token);
  const picture = (await gallery.add(tag.id, small)).body;
  await call('POST', `/api/memory-tags/${tag.id}/caretakers`, {
    token,
    body: { email: receiver.email },
  });
  await moveTestCode(test, id, [owner.id, organizationId], 'KEEP');
  const headers = { 'account-id': organizationId };
  t.equal((await call('GET', `/api/memory-tags/${tag.id}`, { token, headers })).status, 200);
  const carers = (await call('GET', `/api/memory-tags/${tag.id}/caretakers`, { token, headers })).body.data;
  t.match(carers, [{ email: receiver.email }]);
  const { rows } = await pool.query('SELECT account_id FROM pictures WHERE id = $1', [picture.id]);
  t.same(rows, [{ account_id: organizationId }]);
  await moveTestCode(test, id, [organizationId, receiver.id], 'KEEP');
  const rest = (await call('GET', `/api/memory-tags/${tag.id}/caretakers`, { token: receiver.accessToken }))
    .body;
  t.same(rest.data, [], 'the owner is no caretaker');
});

t.test('the new account needs room for the code', async (t) => {
  const id = await code();
  const [first, second] = [await createUser(), await createUser()];
  await code({}, second);
  await setPackageLimit(test, 'FREE', { qrCodes: 1 });
  await t.rejects(moveTestCode(test, id, [owner.id, second.id], 'KEEP'), { code: 'PLAN_LIMIT_REACHED' });
  await moveTestCode(test, id, [owner.id, first.id], 'KEEP');
  await setPackageLimit(test, 'FREE', { qrCodes: null });
});

t.test('an external id of the new account stays its own', async (t) => {
  const id = await code({ externalId: 'shelf-1' });
  await code({ externalId: 'shelf-1' }, receiver);
  await t.rejects(moveTestCode(test, id, [owner.id, receiver.id], 'KEEP'), { code: 'EXTERNAL_ID_TAKEN' });
  t.equal((await readRow(id)).account_id, owner.id);
});

t.test('codes that cross do not wait for each other for ever, and one goes once', async (t) => {
  const there = await Promise.all(Array.from({ length: 4 }, () => code()));
  const back = await Promise.all(Array.from({ length: 4 }, () => code({}, receiver)));
  await Promise.all([
    ...there.map((id) => moveTestCode(test, id, [owner.id, receiver.id], 'KEEP')),
    ...back.map((id) => moveTestCode(test, id, [receiver.id, owner.id], 'CUT')),
  ]);
  for (const id of there) t.equal((await readRow(id)).account_id, receiver.id);
  const id = back[0] ?? '';
  const others = [await createUser(), await createUser(), await createUser()];
  const results = await Promise.allSettled(
    others.map((other) => moveTestCode(test, id, [owner.id, other.id], 'KEEP')),
  );
  t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
});

t.test('an erased account gets no code, and a scan keeps to the account that the code has', async (t) => {
  const id = await code();
  const erasedId = await insertOrganization(test, { members: [{ userId: owner.id, role: 'OWNER' }] });
  await pool.query("UPDATE accounts SET status = 'DELETED', name = NULL WHERE id = $1", [erasedId]);
  await t.rejects(moveTestCode(test, id, [owner.id, erasedId], 'KEEP'), { code: 'NOT_FOUND' });
  // Read into the cache of codes.
  await scanAt(id, { remoteAddress: '198.51.100.21' });
  await moveTestCode(test, id, [owner.id, receiver.id], 'KEEP');
  const made = await scanAt(id, { remoteAddress: '198.51.101.22' });
  t.equal(made.status, 201);
  const scans = await call('GET', `/api/scans?qrCodeId=${id}`, { token: receiver.accessToken });
  t.equal(scans.status, 200, 'their positions can be decrypted');
  t.equal(scans.body.data.length, 2);
});
