import { createDashboardQuery } from '../../../../src/features/scans/dashboard/dashboard.repository.ts';
import { createMarkBucketsDirtySql } from '../../../../src/features/scans/dirty-buckets.repository.ts';
import { rollUpScanCounts } from '../../../../src/features/scans/statistics/roll-up.ts';
import { HOUR_MS } from '../../../../src/shared/durations.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { generateAbsentId, startTestApp, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { waitForDay } from '../../../wait-for-day.ts';
import { insertTestQrCode } from '../../audit-trail-helper.ts';
import { createTestPdf, uploadDocument } from '../../documents/upload.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import { startScans } from '../helper.ts';
import { insertScatteredScans } from '../statistics/helper.ts';

const NONE = { total: 0, humans: 0, unique: 0 };

async function insertScan(
  test: TestApp,
  scan: {
    qrCodeId: string;
    accountId: string;
    class?: string;
    repeat?: boolean;
    ago?: number;
    city?: string;
  },
) {
  const { database } = test;
  const scannedAt = new Date(Date.now() - (scan.ago ?? 0));
  const id = generateId(scannedAt);
  await database.client.scan.create({
    data: {
      id,
      qrCodeId: scan.qrCodeId,
      accountId: scan.accountId,
      type: 'public',
      class: scan.class ?? 'HUMAN',
      classRule: 'test',
      isUnique: (scan.class ?? 'HUMAN') === 'HUMAN' && !scan.repeat,
      visitorHash: Buffer.from(id),
      city: scan.city ?? null,
      region: scan.city ? 'Berlin' : null,
      country: scan.city ? 'DE' : null,
      ipTruncated: '192.0.2.0',
      userAgent: 'test',
      scannedAt,
    },
  });
  await queryDatabase(
    test,
    `INSERT INTO scan_dirty_buckets (subject_id, bucket_size, starts_at)
     SELECT subject, bucket_size, date_bin(length::interval, $3::timestamptz, '2000-01-01Z')
     FROM unnest(ARRAY[$1, $2]) AS of_whom (subject)
     CROSS JOIN (VALUES ('QUARTER_HOUR', '15 minutes'), ('DAY', '1 day')) AS buckets (bucket_size, length)
     ON CONFLICT DO NOTHING`,
    scan.qrCodeId,
    scan.accountId,
    scannedAt,
  );
  return id;
}

t.test('the cards of a new user are empty, and available before the profile', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const { id, accessToken: token } = await createUser({ profile: false });
  await database.client.notification.deleteMany({ where: { userId: id } });
  const cards = await call('GET', '/api/dashboard/cards', { token });
  t.equal(cards.status, 200, cards.text);
  t.same(cards.body, {
    qrCodes: { total: 0, byStatus: { ACTIVE: 0, PAUSED: 0, LOST: 0, EXPIRED: 0 } },
    scans: { ...NONE, today: NONE, yesterday: NONE, last7Days: NONE },
    lastScan: null,
    notifications: { unread: 0 },
    messages: { unread: 0 },
    memoryTags: { total: 0 },
    documents: { total: 0, expiring: 0 },
    attention: { total: 0, codes: [] },
  });
  t.equal(cards.headers['cache-control'], 'no-store');
});

t.test('finds the last scan, however long ago, and whatever was deleted since', async (t) => {
  const test = await startTestApp(t);
  const { id: accountId, accessToken: token } = await test.createUser();
  const rex = await insertTestQrCode(test, accountId, { id: generateAbsentId() });
  const deletedAt = new Date();
  const gone = await insertTestQrCode(test, accountId, {
    id: generateAbsentId(),
    status: 'DELETED',
    deletedAt,
  });
  const last = async () => (await test.call('GET', '/api/dashboard/cards', { token })).body.lastScan?.id;
  t.equal(await last(), undefined);
  await insertScan(test, { qrCodeId: rex, accountId, ago: 70 * 24 * HOUR_MS });
  const older = await insertScan(test, { qrCodeId: rex, accountId, ago: 40 * 24 * HOUR_MS });
  t.equal(await last(), older);
  await insertScan(test, { qrCodeId: gone, accountId, ago: HOUR_MS });
  t.equal(await last(), older, 'a scan of a deleted code hides none');
  const newer = await insertScan(test, { qrCodeId: rex, accountId, ago: 2 * HOUR_MS });
  t.equal(await last(), newer);
});

t.test('the cards count the data of the user, and only that', async (t) => {
  await waitForDay();
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const bob = await createUser();
  const token = ada.accessToken;
  const accountId = ada.id;
  const rex = await insertTestQrCode(test, accountId, { id: generateAbsentId() });
  await insertTestQrCode(test, accountId, { id: generateAbsentId(), status: 'PAUSED' });
  const lost = await insertTestQrCode(test, accountId, {
    id: generateAbsentId(),
    status: 'LOST',
    title: 'Bag',
    kind: 'LUGGAGE',
  });
  const past = new Date(Date.now() - HOUR_MS);
  const expired = await insertTestQrCode(test, accountId, {
    id: generateAbsentId(),
    status: 'PAUSED',
    title: 'Car',
    expiresAt: past,
  });
  await insertTestQrCode(test, accountId, {
    id: generateAbsentId(),
    expiresAt: new Date(Date.now() + HOUR_MS),
  });
  const gone = await insertTestQrCode(test, accountId, {
    id: generateAbsentId(),
    status: 'DELETED',
    deletedAt: past,
  });
  const foreign = await insertTestQrCode(test, bob.id, { id: generateAbsentId(), status: 'LOST' });

  await insertScan(test, { qrCodeId: rex, accountId, ago: 30 * 24 * HOUR_MS });
  await insertScan(test, { qrCodeId: rex, accountId, ago: 3 * 24 * HOUR_MS });
  await insertScan(test, { qrCodeId: rex, accountId, ago: 3 * 24 * HOUR_MS, repeat: true });
  await insertScan(test, { qrCodeId: rex, accountId, ago: 3 * 24 * HOUR_MS, class: 'BOT' });
  // In the same second, in which ids alone are not ordered.
  await insertScan(test, { qrCodeId: rex, accountId, ago: 3 });
  await insertScan(test, { qrCodeId: rex, accountId, ago: 2, class: 'OWNER' });
  const last = await insertScan(test, { qrCodeId: lost, accountId, ago: 1, city: 'Berlin' });
  await insertScan(test, { qrCodeId: gone, accountId });
  await insertScan(test, { qrCodeId: foreign, accountId: bob.id });
  await call('POST', '/api/memory-tags', { token, body: { name: 'Minka' } });
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  for (const days of [10, 50])
    await uploadDocument(test, token, createTestPdf(), { expiresOn: inDays(days) });
  const unread = await database.client.notification.count({ where: { userId: accountId } });

  const { body, status, text } = await call('GET', '/api/dashboard/cards', { token });
  t.equal(status, 200, text);
  t.same(body.qrCodes, { total: 5, byStatus: { ACTIVE: 2, PAUSED: 1, LOST: 1, EXPIRED: 1 } });
  // Deleting a code keeps its scans in the counts.
  t.match(body.scans, { total: 8, humans: 6, unique: 5 });
  t.same(body.scans.today, { total: 4, humans: 3, unique: 3 });
  t.same(body.scans.last7Days, { total: 7, humans: 5, unique: 4 });
  t.match(body.lastScan, {
    id: last,
    qrCodeId: lost,
    title: 'Bag',
    class: 'HUMAN',
    city: 'Berlin',
    country: 'DE',
  });
  t.match(body.lastScan.scannedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.same(body.notifications, { unread });
  t.same(body.memoryTags, { total: 1 });
  t.same(body.documents, { total: 2, expiring: 1 });
  t.equal(body.attention.total, 2);
  t.same(
    [...body.attention.codes].sort((one: { title: string }, other: { title: string }) =>
      one.title < other.title ? -1 : 1,
    ),
    [
      { id: lost, kind: 'LUGGAGE', title: 'Bag', status: 'LOST' },
      { id: expired, kind: 'PET', title: 'Car', status: 'EXPIRED' },
    ],
  );
});

t.test('today is the current day in the account’s time zone', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { id, accessToken: token } = await createUser();
  // These zones are 25 hours apart, so at least one began its day within the last 13 hours.
  const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const rex = await insertTestQrCode(test, id, { id: generateAbsentId() });
  const ago = 13 * HOUR_MS;
  await insertScan(test, { qrCodeId: rex, accountId: id, ago });
  for (const timeZone of zones) {
    await call('PUT', `/api/auth/profile/${id}`, { token, body: { timeZone } });
    const { body } = await call('GET', '/api/dashboard/cards', { token });
    const day = (moment: number) =>
      new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' }).format(moment);
    t.equal(body.scans.today.total, day(Date.now()) === day(Date.now() - ago) ? 1 : 0, timeZone);
  }
});

t.test('counts scans of today, yesterday, the last 7 days and all time, rolled up or not', async (t) => {
  const timeZone = 'Asia/Kathmandu';
  await waitForDay(timeZone);
  const test = await startScans(t);
  const { call, owner, database } = test;
  const codes = [await test.code(), await test.code()];
  const foreign = await test.code({}, await test.createUser());
  const now = Date.now();
  await call('PUT', `/api/auth/profile/${owner.id}`, { token: owner.accessToken, body: { timeZone } });
  const [starts] = await queryDatabase(
    test,
    `SELECT date_trunc('day', now(), $1) AS today, date_trunc('day', now(), $1) - interval '1 day' AS yesterday,
            date_trunc('day', now(), $1) - interval '6 days' AS week`,
    timeZone,
  );
  const counts = async (from: Date, to: Date) =>
    (
      await queryDatabase(
        test,
        `SELECT count(*)::int AS total, count(*) FILTER (WHERE class = 'HUMAN')::int AS humans,
                count(*) FILTER (WHERE is_unique)::int AS "unique"
         FROM scans WHERE account_id = $1 AND scanned_at >= $2 AND scanned_at < $3`,
        owner.id,
        from,
        to,
      )
    )[0];
  const compare = async (what: string) => {
    const { scans } = (await call('GET', '/api/dashboard/cards', { token: owner.accessToken })).body;
    const { today, yesterday, last7Days, ...ever } = scans;
    const end = new Date(now + HOUR_MS);
    t.same(ever, await counts(new Date(0), end), `${what}: all time`);
    t.same(today, await counts(starts?.today, end), `${what}: today`);
    t.same(yesterday, await counts(starts?.yesterday, starts?.today), `${what}: yesterday`);
    t.same(last7Days, await counts(starts?.week, end), `${what}: week`);
    t.ok(ever.total > last7Days.total && yesterday.total > 0);
  };
  await insertScatteredScans(test, codes, 900, [new Date(now - 100 * 24 * HOUR_MS), new Date(now)]);
  await insertScatteredScans(test, [...codes, foreign], 300, [new Date(now - 60 * HOUR_MS), new Date(now)]);
  await compare('from the scans');
  await rollUpScanCounts(database);
  await compare('rolled up');
  await insertScatteredScans(test, codes, 80, [new Date(now - 30 * 24 * HOUR_MS), new Date(now)]);
  await compare('partly dirty');
  await rollUpScanCounts(database);
  await compare('rolled up again');
  await queryDatabase(
    test,
    `WITH made AS (UPDATE scans SET class = 'BOT', is_unique = false WHERE substr(id, 24) < '8'
                   RETURNING qr_code_id, account_id, scanned_at) ${createMarkBucketsDirtySql('made')}`,
  );
  await compare('of another class');
  await rollUpScanCounts(database);
  await compare('of another class, and rolled up');
});

t.test('counts of codes by status match their rows under parallel changes', async (t) => {
  const test = await startTestApp(t);
  const { createUser, database } = test;
  const [ada, bob] = [await createUser(), await createUser()];
  const ids = Array.from({ length: 24 }, () => generateId());
  for (const [index, id] of ids.entries()) await insertTestQrCode(test, index % 2 ? ada.id : bob.id, { id });
  const statuses = ['ACTIVE', 'PAUSED', 'LOST', 'DELETED', 'UNCLAIMED'];
  const work = Array.from({ length: 12 }, async (_, worker) => {
    for (let round = 0; round < 20; round++) {
      const id = ids[(worker * 7 + round * 5) % ids.length] ?? '';
      const status = statuses[(worker + round) % statuses.length];
      const deletedAt = status === 'DELETED' ? 'now()' : 'NULL';
      await queryDatabase(
        test,
        `UPDATE qr_codes SET status = $2, deleted_at = ${deletedAt} WHERE id = $1`,
        id,
        status,
      );
      if (round % 5 === 0) await insertTestQrCode(test, worker % 2 ? ada.id : bob.id, { id: generateId() });
      if (round % 7 === 0)
        await queryDatabase(
          test,
          'UPDATE qr_codes SET account_id = $2 WHERE id = $1',
          id,
          worker % 2 ? ada.id : bob.id,
        );
      if (round % 9 === 0)
        await queryDatabase(test, 'UPDATE qr_codes SET version = version + 1 WHERE id = $1', id);
      if (round % 10 === 9)
        await queryDatabase(
          test,
          'DELETE FROM qr_codes WHERE id = (SELECT id FROM qr_codes WHERE NOT id = ANY ($1) ORDER BY random() LIMIT 1)',
          ids,
        );
    }
  });
  await Promise.all(work);
  // Some of the parallel transactions roll back.
  await queryDatabase(
    test,
    "UPDATE qr_codes SET status = 'PAUSED', deleted_at = NULL WHERE account_id = $1 AND status <> 'LOST'",
    ada.id,
  );
  // Whatever the order was, each owner then has codes in two statuses.
  for (const owner of [ada, bob])
    for (const status of ['ACTIVE', 'PAUSED'])
      await queryDatabase(
        test,
        'UPDATE qr_codes SET status = $2, deleted_at = NULL WHERE id = $1',
        await insertTestQrCode(test, owner.id, { id: generateId() }),
        status,
      );
  await database
    .transaction(async (tx) => {
      await tx.$executeRaw`DELETE FROM qr_codes WHERE account_id = ${bob.id}`;
      throw new Error('never mind');
    })
    .catch(() => {});
  const rows = await queryDatabase(
    test,
    `SELECT account_id, count(*) FILTER (WHERE status = 'ACTIVE')::int AS active,
            count(*) FILTER (WHERE status = 'PAUSED')::int AS paused, count(*) FILTER (WHERE status = 'LOST')::int AS lost,
            count(*) FILTER (WHERE status = 'UNCLAIMED')::int AS unclaimed,
            count(*) FILTER (WHERE status = 'DELETED')::int AS deleted
     FROM qr_codes GROUP BY account_id ORDER BY account_id`,
  );
  t.same(await queryDatabase(test, 'SELECT * FROM qr_code_counts ORDER BY account_id'), rows);
  t.equal(rows.filter((row) => row.active > 0 && row.paused > 0).length, 2);
  await t.rejects(queryDatabase(test, 'UPDATE qr_code_counts SET active = 0'), /permission denied/);
});

t.test('the cost of the cards does not grow with the number of codes', async (t) => {
  const test = await startScans(t);
  const { owner, database } = test;
  const id = await test.code();
  await queryDatabase(
    test,
    `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, data, visibility, design, expires_at)
     SELECT left(md5(n::text), 24), account_id, kind, mode, title, slug, data, visibility, design,
            CASE WHEN n <= 5 THEN now() - interval '1 day' WHEN n <= 4000 THEN now() + interval '1 year' END
     FROM qr_codes CROSS JOIN generate_series(1, 8000) AS n WHERE id = $1`,
    id,
  );
  await insertScatteredScans(test, [id], 50, [new Date(Date.now() - HOUR_MS), new Date()]);
  const days = { today: new Date(), yesterday: new Date(), week: new Date(Date.now() - 7 * 24 * HOUR_MS) };
  const { text, values } = createDashboardQuery(owner.id, days);
  const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, TIMING off, FORMAT json) ${text}`, values);
  const read: number[] = [];
  const walk = (node: Record<string, unknown>) => {
    if (node['Relation Name'] === 'qr_codes')
      read.push(
        (Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0)) *
          Number(node['Actual Loops']),
      );
    for (const child of (node.Plans ?? []) as Record<string, unknown>[]) walk(child);
  };
  walk(rows[0]['QUERY PLAN'][0].Plan);
  t.ok(read.length >= 3, `${read}`);
  t.ok(Math.max(...read) <= 50, `${read} rows of codes are read`);
  const cards = await test.call('GET', '/api/dashboard/cards', { token: owner.accessToken });
  t.match(cards.body.qrCodes, { total: 8001, byStatus: { ACTIVE: 7996, EXPIRED: 5 } });
});
