import type { Test } from 'tap';
import { createReverseGeocodeJob } from '../../../src/features/scans/geocode.job.ts';
import { claimGeocoderSlot } from '../../../src/features/scans/geocoding.repository.ts';
import { rollUpScanCounts } from '../../../src/features/scans/statistics/roll-up.ts';
import type { Geocoder } from '../../../src/providers/geocoding/geocoding.port.ts';
import type { TestResponse } from '../../helper.ts';
import { BRANDENBURG_GATE, respondWith, startTestGeocoder } from '../../providers/geocoding/test-geocoder.ts';
import { t } from '../../tap.ts';
import { runConcurrently } from '../identity/accounts/helper.ts';
import { eraseAccountOf, waitFor, waitForErasures } from '../personal-data/helper.ts';
import { BERLIN_POSITION, createTokenHeader, startScans } from './helper.ts';

const STREET = BRANDENBURG_GATE.display_name;
const NEAR = { latitude: BERLIN_POSITION.latitude + 0.000_01, longitude: BERLIN_POSITION.longitude };
const AT_SEA = { latitude: -40.5, longitude: -120.25 };

/** Start an application with a fake geocoding server on loopback. */
async function startGeocoded(t: Test) {
  const server = await startTestGeocoder(t);
  const test = await startScans(t, { GEOCODER_URL: server.url });
  const { call, scan, code, owner, database } = test;
  const read = async (scanResponse: TestResponse, token = owner.accessToken) =>
    (await call('GET', `/api/scans/${scanResponse.body.scan.id}`, { token })).body;
  const locate = (scanResponse: TestResponse, body: object) =>
    call('POST', `/api/scans/public/${scanResponse.body.scan.id}/location`, {
      body,
      headers: createTokenHeader(scanResponse),
    });
  const waiting = async (state: string) => {
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'geocode' AND state ${state}`,
    );
    return rows[0].count;
  };
  /** Retry all failed jobs now. */
  const retryJobs = () =>
    database.pool.query(
      `UPDATE pgboss.job SET start_after = now() WHERE name = 'geocode' AND state = 'retry'`,
    );
  const idle = () =>
    waitFor(async () => {
      await retryJobs();
      return (await waiting("< 'completed'")) === 0;
    });
  return { ...test, server, read, locate, scan, code, waiting, retryJobs, idle };
}

t.test('a job spaces its requests to the geocoding server, and asks once per cell', async (t) => {
  const test = await startGeocoded(t);
  const { server, scan, code, read, locate, idle, database } = test;
  const id = await code();
  const scanResponse = await scan({ qrCodeId: id, ...BERLIN_POSITION });
  t.equal(scanResponse.status, 201);
  t.equal(
    scanResponse.body.scan.location.address,
    'Berlin, State of Berlin, DE',
    'the address of the offline geocoder first',
  );
  t.equal((await locate(scanResponse, NEAR)).status, 201, 'a metre away: the same cell');
  const bare = await scan({ qrCodeId: id });
  await locate(bare, { latitude: 48.85837, longitude: 2.294481 });
  await idle();
  const view = await read(scanResponse);
  t.match(view.location, { ...BERLIN_POSITION, address: STREET, city: 'Berlin' });
  t.match(view.trail, [{ ...NEAR, address: STREET }]);
  t.match((await read(bare)).location, { address: STREET, city: 'Paris', country: 'FR' }, 'its own as well');
  t.match((await read(bare)).trail, [{ address: STREET, city: 'Paris' }]);
  t.equal(server.requests.length, 2, 'two cells');
  const [first, second] = server.requests;
  // 500 ms instead of 1,000: the first request may reach the server late.
  t.ok((second?.at ?? 0) - (first?.at ?? 0) > 500, 'apart');
  t.same([first?.url.searchParams.get('lat'), first?.url.searchParams.get('lon')], ['52.5163', '13.3777']);
  t.match(first?.userAgent, /^qr-profile-service\/\d\S* \(\+https:\/\/qr\.example\.org\)$/);

  const { rows } = await database.pool.query(
    'SELECT position, address FROM scans UNION ALL SELECT position, address FROM scan_locations UNION ALL SELECT place, NULL FROM geocoded_cells',
  );
  t.equal(rows.length, 6);
  t.notOk(rows.some((row) => Object.values(row).some((value) => String(value).includes('Pariser'))));
  const { rows: jobs } = await database.pool.query(
    "SELECT data::text || coalesce(output::text, '') AS text FROM pgboss.job WHERE name = 'geocode'",
  );
  t.notOk(
    jobs.some(({ text }) => /52\.|Platz/.test(text)),
    'jobs contain ids only',
  );

  t.equal((await eraseAccountOf(test, test.owner)).status, 200);
  await waitForErasures(test);
  t.equal(
    await database.client.scan.count({ where: { address: { not: null } } }),
    0,
    'an erasure removes it',
  );
});

t.test('the geocoding server fills in unknown places, which are then counted', async (t) => {
  const test = await startGeocoded(t);
  const { server, scan, code, idle, read, database } = test;
  const island = { display_name: 'Raft 1', address: { village: 'Raft', country_code: 'nz' } };
  server.does = respondWith(island);
  const id = await code();
  const scanResponse = await scan({ qrCodeId: id, ...AT_SEA });
  t.match(scanResponse.body.scan.location, { ...AT_SEA, country: null });
  await idle();
  t.match((await read(scanResponse)).location, { ...AT_SEA, address: 'Raft 1', city: 'Raft', country: 'NZ' });
  const { rows } = await database.pool.query(
    'SELECT DISTINCT bucket_size FROM scan_dirty_buckets WHERE subject_id = $1 ORDER BY 1',
    [id],
  );
  t.same(rows, [{ bucket_size: 'DAY' }, { bucket_size: 'QUARTER_HOUR' }]);
  await rollUpScanCounts(database);
  const elsewhere = await scan({ qrCodeId: id, ...BERLIN_POSITION });
  await idle();
  t.match(
    (await read(elsewhere)).location,
    { address: 'Raft 1', city: 'Berlin', country: 'DE' },
    'what is known stays',
  );
});

t.test(
  'an unavailable geocoding server leaves scans unchanged, is logged once, and is retried',
  async (t) => {
    const { server, scan, code, read, idle, waiting, retryJobs, serviceLog } = await startGeocoded(t);
    const id = await code();
    await server.stop();
    const scanResponse = await runConcurrently(4, (index) =>
      scan({ qrCodeId: id, latitude: 10 + index, longitude: 10 }),
    );
    t.ok(scanResponse.every(({ status }) => status === 201));
    await waitFor(async () => (await waiting("= 'retry'")) === 4);
    await retryJobs();
    await waitFor(async () => {
      await retryJobs();
      return serviceLog.some((line) => line === 'reason: ECONNREFUSED');
    });
    const about = () => serviceLog.filter((line) => /geocoding|jobs:/.test(line));
    t.same(about(), ['geocoding server does not answer; requests are retried later']);
    await server.back();
    await idle();
    t.same(about().slice(1), ['geocoding server answers again']);
    for (const one of scanResponse) t.equal((await read(one)).location.address, STREET);
  },
);

t.test(
  'sends no positions of accounts in enterprise mode; a service in that mode does not start',
  async (t) => {
    const { server, scan, code, idle, createUser, database } = await startGeocoded(t);
    const ada = await createUser();
    const id = await code({}, ada);
    await database.client.user.update({ where: { id: ada.id }, data: { enterpriseMode: true } });
    await scan({ qrCodeId: id, ...BERLIN_POSITION });
    await idle();
    t.equal(server.requests.length, 0);
    const row = await database.client.scan.findFirstOrThrow({ where: { qrCodeId: id } });
    t.equal(row.address, null);
    await t.rejects(startScans(t, { GEOCODER_URL: server.url, ENTERPRISE_MODE: 'hipaa' }), /GEOCODER_URL/);
  },
);

t.test('one of many instances gets the slot, and a stored cell needs no request', async (t) => {
  const { call, database, services, scan, code, owner, serviceLog } = await startScans(t);
  const read = async (scanResponse: TestResponse) =>
    (await call('GET', `/api/scans/${scanResponse.body.scan.id}`, { token: owner.accessToken })).body;
  const slots = await runConcurrently(20, () => claimGeocoderSlot(database.client));
  t.equal(slots.filter(Boolean).length, 1);
  const scanResponse = await scan({ qrCodeId: await code(), ...BERLIN_POSITION });
  let calls = 0;
  const geocoder: Geocoder = {
    name: 'counted',
    async reverseGeocode() {
      calls += 1;
      return { address: 'There 1', city: null, region: null, country: 'DE' };
    },
  };
  const job = createReverseGeocodeJob({
    database,
    fieldCipher: services.fieldCipher,
    events: services.events,
    geocoder,
    log: services.log,
  });
  const positionKey = { table: 'scans', id: scanResponse.body.scan.id };
  await runConcurrently(3, () => job(positionKey));
  await job(positionKey);
  t.ok(calls >= 1 && calls <= 3);
  t.equal((await read(scanResponse)).location.address, 'There 1');
  const before = calls;
  const repeatedScan = await scan({ qrCodeId: await code(), ...BERLIN_POSITION });
  await job({ table: 'scans', id: repeatedScan.body.scan.id });
  t.equal(calls, before);
  await database.client.geocodedCell.updateMany({ data: { createdAt: new Date('2020-01-01') } });
  const late = await scan({ qrCodeId: await code(), ...BERLIN_POSITION });
  await job({ table: 'scans', id: late.body.scan.id });
  t.equal(calls, before + 1, 'an old cell is requested again');

  await database.client.geocodedCell.updateMany({ data: { place: Buffer.from('altered') } });
  const alteredCellScan = await scan({ qrCodeId: await code(), ...BERLIN_POSITION });
  await job({ table: 'scans', id: alteredCellScan.body.scan.id });
  t.equal(calls, before + 2, 'and so is an altered one');
  const integrityFailure = { action: 'DATA_INTEGRITY_FAILED', changes: { has: 'geocoded_cells.place' } };
  t.equal(await database.client.auditEntry.count({ where: integrityFailure }), 1);

  for (const wrong of [
    {},
    { table: 'users', id: 'x' },
    { table: 'scans', id: 7 },
    { ...positionKey, id: 'none' },
  ])
    await job(wrong);
  const broken = await scan({ qrCodeId: await code(), ...BERLIN_POSITION });
  await database.client.scan.update({
    where: { id: broken.body.scan.id },
    data: { position: Buffer.from('altered') },
  });
  await job({ table: 'scans', id: broken.body.scan.id });
  const entry = { action: 'DATA_INTEGRITY_FAILED', resourceId: broken.body.scan.id };
  t.equal(await database.client.auditEntry.count({ where: entry }), 1);
  t.same(
    serviceLog.filter((line) => /geocoding/.test(line)),
    [],
  );
});
