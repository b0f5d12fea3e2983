import { insertScans } from '../../../src/features/scans/insert-scan.repository.ts';
import { createScanPartitionsJob } from '../../../src/features/scans/scan-partitions.job.ts';
import { deriveScanToken } from '../../../src/features/scans/scan-token.ts';
import { rollUpScanCounts } from '../../../src/features/scans/statistics/roll-up.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import type { TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { countStatuses, isProblem, runConcurrently } from '../identity/accounts/helper.ts';
import { eraseAccountOf, fetchBytes, readExportData, waitForErasures } from '../personal-data/helper.ts';
import { BERLIN_POSITION, createTokenHeader, startScans } from './helper.ts';
import { createTestScan } from './statistics/helper.ts';

const PARIS = { latitude: 48.85837, longitude: 2.294481 };
const AT_SEA = { latitude: -40.5, longitude: -120.25 };

const test = await startScans(t);
const { call, code, scan, owner, database } = test;
const { client } = database;

const addressOf = (scanResponse: TestResponse) => `/api/scans/public/${scanResponse.body.scan.id}/location`;
const locate = (scanResponse: TestResponse, body: unknown, headers = createTokenHeader(scanResponse)) =>
  call('POST', addressOf(scanResponse), { body, headers });
const read = async (scanResponse: TestResponse, token = owner.accessToken) =>
  (await call('GET', `/api/scans/${scanResponse.body.scan.id}`, { token })).body;

async function setScanAge(scanResponse: TestResponse, hours: number): Promise<void> {
  await client.scan.update({
    where: { id: scanResponse.body.scan.id },
    data: { scannedAt: new Date(Date.now() - hours * HOUR_MS) },
  });
}

t.test('a finder adds locations after the scan, to a trail that never changes', async (t) => {
  const scanResponse = await scan({ qrCodeId: await code() });
  const first = await locate(scanResponse, BERLIN_POSITION);
  t.equal(first.status, 201, first.text);
  t.equal(first.headers.location, `/api/scans/public/${scanResponse.body.scan.id}`);
  t.equal(first.headers['cache-control'], 'no-store');
  const place = {
    city: 'Berlin',
    region: 'State of Berlin',
    country: 'DE',
    address: 'Berlin, State of Berlin, DE',
  };
  t.match(first.body, { scanId: scanResponse.body.scan.id, ...BERLIN_POSITION, ...place });
  const again = await locate(scanResponse, { ...BERLIN_POSITION, accuracy: 999 });
  t.equal(again.status, 200);
  t.same(again.body, first.body, 'the same coordinates return the first location');
  const second = await locate(scanResponse, PARIS);
  t.equal(second.status, 201);
  t.equal(second.body.accuracy, null);

  const view = await read(scanResponse);
  const part = ({ id, scanId, ...rest }: Record<string, unknown>) => rest;
  t.same(view.trail, [part(first.body), part(second.body)]);
  t.match(
    view.location,
    { ...BERLIN_POSITION, ...place },
    'a scan without a position takes the first as its own',
  );
  const guest = await call('GET', `/api/scans/${scanResponse.body.scan.id}`, {
    headers: createTokenHeader(scanResponse),
  });
  t.same(guest.body.trail, view.trail);
  t.match(guest.body.location, BERLIN_POSITION);
  const list = await call('GET', '/api/scans', { token: owner.accessToken });
  t.same(list.body.data[0].location, { city: 'Berlin', region: 'State of Berlin', country: 'DE' });
  t.notOk(list.text.includes('52.5163'));
  for (const options of [{}, { token: (await test.createUser()).accessToken }]) {
    const facts = await call('GET', `/api/scans/${scanResponse.body.scan.id}`, options);
    t.same(Object.keys(facts.body), ['id', 'kind', 'scannedAt', 'status'], 'a stranger');
  }
});

t.test('a scan keeps the position that it was created with', async (t) => {
  const scanResponse = await scan({ qrCodeId: await code(), ...PARIS });
  t.equal((await locate(scanResponse, BERLIN_POSITION)).status, 201);
  const view = await read(scanResponse);
  t.match(view.location, { ...PARIS, city: 'Paris', country: 'FR' });
  t.match(view.trail, [{ ...BERLIN_POSITION, city: 'Berlin' }]);

  const adrift = await scan({ qrCodeId: await code() });
  t.match((await locate(adrift, { ...AT_SEA, accuracy: 0 })).body, {
    country: null,
    address: null,
    accuracy: 0,
  });
  await locate(adrift, BERLIN_POSITION);
  t.match((await read(adrift)).location, { ...AT_SEA, city: null, country: null });
});

t.test('an administrator sees only the cities of a trail, and its positions by break-glass', async (t) => {
  const scanResponse = await scan({ qrCodeId: await code() });
  await locate(scanResponse, BERLIN_POSITION);
  const admin = await test.createUser();
  await client.user.update({ where: { id: admin.id }, data: { role: 'ADMIN' } });
  const none = { latitude: null, longitude: null, accuracy: null, address: null };
  const view = await read(scanResponse, admin.accessToken);
  const rough = { ...none, city: 'Berlin', region: 'State of Berlin', country: 'DE' };
  t.same(view.location, rough);
  t.same(view.trail, [{ ...rough, createdAt: view.trail[0].createdAt }]);
  await call('POST', '/api/admin/break-glass', {
    token: admin.accessToken,
    body: {
      resourceType: 'SCAN',
      resourceId: scanResponse.body.scan.id,
      reason: 'a child is missing in Berlin',
    },
  });
  t.match((await read(scanResponse, admin.accessToken)).trail, [BERLIN_POSITION]);
});

t.test('adds nothing without the scan token', async (t) => {
  const scanResponse = await scan({ qrCodeId: await code() });
  const other = await scan({ qrCodeId: await code() });
  const wrong = {
    'x-scan-token': scanResponse.body.scanToken.replace(/^./, (first: string) => (first === '_' ? '-' : '_')),
  };
  for (const headers of [{}, wrong, createTokenHeader(other)] as Record<string, string>[]) {
    t.ok(isProblem(await locate(scanResponse, BERLIN_POSITION, headers), 403, 'SCAN_TOKEN_INVALID'));
  }
  const { accessToken: token } = await test.createUser();
  const trail = await captureAuditEntries(test, async () => {
    const answer = await call('POST', addressOf(scanResponse), { body: BERLIN_POSITION, token });
    t.ok(isProblem(answer, 404, 'NOT_FOUND'));
  });
  t.match(trail, [{ action: 'ACCESS_DENIED' }]);
  const absent = await call('POST', `/api/scans/public/${generateId()}/location`, { body: BERLIN_POSITION });
  t.ok(isProblem(absent, 404, 'NOT_FOUND'));
  const wrongs: object[] = [
    {},
    { latitude: 1 },
    { longitude: 1 },
    { latitude: null, longitude: 1 },
    { latitude: 91, longitude: 0 },
    { latitude: 0, longitude: -180.5 },
    { ...BERLIN_POSITION, accuracy: -1 },
    { latitude: '1,5', longitude: 0 },
  ];
  for (const body of wrongs) {
    const answer = await locate(scanResponse, body);
    t.ok(isProblem(answer, 400, 'VALIDATION_FAILED'), answer.text);
  }
  t.equal(await client.scanLocation.count({ where: { scanId: scanResponse.body.scan.id } }), 0);
});

t.test('of 30 parallel positions 20 are stored, and the same position is stored once', async (t) => {
  const scanResponse = await scan({ qrCodeId: await code() });
  const many = await runConcurrently(30, (index) =>
    locate(scanResponse, { ...BERLIN_POSITION, latitude: 52 + index / 1000 }),
  );
  t.same(countStatuses(many), { 201: 20, 409: 10 });
  t.ok(many.every((answer) => answer.status === 201 || isProblem(answer, 409, 'LOCATION_TRAIL_CLOSED')));
  const [first] = many.filter(({ status }) => status === 201);
  const again = await locate(scanResponse, {
    latitude: first?.body.latitude,
    longitude: first?.body.longitude,
  });
  t.same([again.status, again.body], [200, first?.body], 'a full trail still knows its positions');
  t.equal((await read(scanResponse)).trail.length, 20);

  const other = await scan({ qrCodeId: await code() });
  const trail = await captureAuditEntries(test, async () => {
    const same = await runConcurrently(12, () => locate(other, BERLIN_POSITION));
    t.same(countStatuses(same), { 200: 11, 201: 1 });
    t.equal(new Set(same.map(({ text }) => text)).size, 1);
  });
  t.match(trail, [{ action: 'SCAN_LOCATED', resourceId: other.body.scan.id }]);
  t.equal(trail.length, 1);
  t.equal((await locate(other, { latitude: 0, longitude: 0 })).status, 201);
  t.equal((await locate(other, { latitude: 0, longitude: -0 })).status, 200);
});

t.test('a trail ends a day after its scan, and while its code is paused or deleted', async (t) => {
  const id = await code();
  const scanResponse = await scan({ qrCodeId: id });
  await locate(scanResponse, BERLIN_POSITION);
  const aged = await scan({ qrCodeId: id });
  const token = { 'x-scan-token': '' };
  await setScanAge(aged, 25);
  const row = await client.scan.findUniqueOrThrow({ where: { id: aged.body.scan.id } });
  token['x-scan-token'] = deriveScanToken(test.services.fieldCipher, row);
  t.ok(isProblem(await locate(aged, BERLIN_POSITION, token), 409, 'LOCATION_TRAIL_CLOSED'));

  const put = (status: string) =>
    call('PUT', `/api/qrcodes/${id}`, { token: owner.accessToken, body: { status } });
  const paused = await put('PAUSED');
  t.equal(paused.status, 200, paused.text);
  t.ok(isProblem(await locate(scanResponse, PARIS), 410, 'CODE_PAUSED'));
  await put('ACTIVE');
  t.equal((await locate(scanResponse, PARIS)).status, 201);
  await call('DELETE', `/api/qrcodes/${id}`, { token: owner.accessToken });
  t.ok(isProblem(await locate(scanResponse, AT_SEA), 404, 'NOT_FOUND'));
});

t.test('notifies the owner at most once a minute per scan, by an alert for a lost item', async (t) => {
  const listNotifications = (scanId: string) =>
    client.notification.findMany({
      where: { userId: owner.id, event: 'scan.located', data: { path: ['scanId'], equals: scanId } },
    });
  const id = await code({ title: 'Collar' });
  const scanResponse = await scan({ qrCodeId: id });
  const scanId: string = scanResponse.body.scan.id;
  await runConcurrently(6, (index) =>
    locate(scanResponse, { ...BERLIN_POSITION, latitude: 52.5 + index / 10_000 }),
  );
  const [only, ...more] = await listNotifications(scanId);
  t.equal(more.length, 0);
  t.match(only, { type: 'DEFAULT', event: 'scan.located' });
  t.same(only?.data, { qrCodeId: id, scanId, code: 'Collar', place: 'Berlin', country: 'DE' });
  t.notMatch(JSON.stringify(only), /52\.5/, 'without the position');
  await client.scanLocation.updateMany({
    where: { scanId },
    data: { createdAt: new Date(Date.now() - 61_000) },
  });
  await call('POST', `/api/qrcodes/${id}/lost`, { token: owner.accessToken, body: {} });
  await locate(scanResponse, PARIS);
  await locate(scanResponse, AT_SEA);
  t.same((await listNotifications(scanId)).map(({ type }) => type).sort(), ['ALERT', 'DEFAULT']);
  const other = await scan({ qrCodeId: id });
  await locate(other, BERLIN_POSITION);
  t.equal((await listNotifications(other.body.scan.id)).length, 1, 'another scan has its own minute');
});

t.test('counts a scan again once its place is known', async (t) => {
  const id = await code();
  const nowhere = { city: null, region: null, country: null };
  const stored = { ...createTestScan(test, id, new Date(Date.now() - 3 * HOUR_MS)), ...nowhere };
  await insertScans(database.pool, [stored]);
  await rollUpScanCounts(database);
  const countries = async () =>
    (
      await database.pool.query(
        `SELECT breakdown->'country' AS country FROM scan_rollups WHERE subject_id = $1 AND bucket_size = 'QUARTER_HOUR'`,
        [id],
      )
    ).rows.map(({ country }) => country);
  t.same(await countries(), [null]);
  const scanResponse = {
    body: { scan: stored, scanToken: deriveScanToken(test.services.fieldCipher, stored) },
  } as TestResponse;
  const answers = await Promise.all([
    ...[BERLIN_POSITION, PARIS].map((place) => locate(scanResponse, place)),
    rollUpScanCounts(database).then(() => ({ status: 201 })),
  ]);
  t.ok(answers.every(({ status }) => status === 201));
  await rollUpScanCounts(database);
  const { country, isUnique } = await client.scan.findUniqueOrThrow({ where: { id: stored.id } });
  const human = Number(isUnique);
  t.same(await countries(), [{ [String(country)]: [1, human, human] }]);
});

t.test('export and erasure include the trail', async (t) => {
  const user = await test.createUser();
  const scanResponse = await scan({ qrCodeId: await code({}, user) });
  await locate(scanResponse, BERLIN_POSITION);
  const archive = await fetchBytes(test, '/api/auth/export', user.accessToken);
  const data = await readExportData(archive.bytes);
  t.match(data.scansOfYourCodes[0].trail, [
    { createdAt: /Z$/, location: { ...BERLIN_POSITION, city: 'Berlin' } },
  ]);
  const ending = eraseAccountOf(test, user);
  const late = await runConcurrently(12, (index) =>
    locate(scanResponse, { ...BERLIN_POSITION, latitude: 40 + index }),
  );
  t.equal((await ending).status, 200);
  t.ok(
    late.every(({ status }) => [201, 404].includes(status)),
    JSON.stringify(countStatuses(late)),
  );
  await waitForErasures(test);
  t.equal(await client.scanLocation.count({ where: { accountId: user.id } }), 0);
  t.match(await client.scan.findFirst({ where: { accountId: user.id } }), { position: null });
  t.equal((await locate(scanResponse, PARIS)).status, 404);
});

t.test('dropping scans also drops their trails', async (t) => {
  const scanResponse = await scan({ qrCodeId: await code() });
  await locate(scanResponse, BERLIN_POSITION);
  const old = {
    scanId: generateId(new Date(Date.now() - 300 * 24 * HOUR_MS)),
    accountId: owner.id,
    ownerNotified: false,
  };
  const bytes = { position: Buffer.from('x'), positionHash: Buffer.from('x') };
  await client.scanLocation.create({ data: { id: generateId(), ...old, ...bytes } });
  const job = { database, privateFiles: test.services.privateFiles, isArchived: false };
  await createScanPartitionsJob({ ...job, keptDays: undefined })({});
  t.equal(await client.scanLocation.count({ where: { scanId: old.scanId } }), 1);
  await createScanPartitionsJob({ ...job, keptDays: 120 })({});
  t.equal(await client.scanLocation.count({ where: { scanId: old.scanId } }), 0);
  t.equal(await client.scanLocation.count({ where: { scanId: scanResponse.body.scan.id } }), 1);
});

t.test('stores no exact position in clear, and never shows an altered one', async (t) => {
  const scanResponse = await scan({ qrCodeId: await code() });
  await locate(scanResponse, { latitude: 52.5163271, longitude: 13.3777149 });
  const { rows } = await database.pool.query('SELECT * FROM scan_locations WHERE scan_id = $1', [
    scanResponse.body.scan.id,
  ]);
  for (const value of Object.values(rows[0])) {
    t.notMatch(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value), /5163271|3777149/);
  }
  t.notMatch(test.log.join('\n'), /5163271|3777149/);
  const { id, position } = rows[0];
  const altered = Buffer.from(position);
  altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1);
  await client.scanLocation.update({ where: { id }, data: { position: altered } });
  const answer = await call('GET', `/api/scans/${scanResponse.body.scan.id}`, { token: owner.accessToken });
  t.ok(isProblem(answer, 500, 'DATA_INTEGRITY'), answer.text);
});
