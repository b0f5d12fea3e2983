import { toServiceAnalyticsView } from '../../../src/features/administration/administration.views.ts';
import { readServiceAnalytics } from '../../../src/features/administration/analytics.repository.ts';
import { demoteAdministrator } from '../../../src/features/administration/change-administrators.use-case.ts';
import { computeUnstoredDailyCounts } from '../../../src/features/administration/count-unstored-days.ts';
import { createDailyCountsJob } from '../../../src/features/administration/daily-counts.job.ts';
import { beginPgTransaction } from '../../../src/platform/driver-transaction.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { generateAbsentId, startTestApp, type TestApp } from '../../helper.ts';
import { STATEMENT_TIMEOUTS_MISSING, t } from '../../tap.ts';
import { waitForDay } from '../../wait-for-day.ts';
import { captureAuditEntries, insertTestQrCode, insertTestScan } from '../audit-trail-helper.ts';

const PATHS = {
  '/api/admin/users': ['ADMIN_USERS_LISTED', 'USER'],
  '/api/admin/qrcodes': ['ADMIN_QRCODES_LISTED', 'QRCODE'],
  '/api/admin/analytics': ['ADMIN_ANALYTICS_READ', 'SYSTEM'],
} as const;

async function administrator(test: TestApp) {
  const root = await test.createUser({ email: 'root@example.org', role: 'ADMIN' });
  const second = await test.createUser({ email: 'second@example.org', role: 'ADMIN' });
  return { root, second };
}

t.test(
  'administrator reads are audited when a user tries them, and 401 for demoted administrators',
  async (t) => {
    const test = await startTestApp(t);
    const { call, createUser, database } = test;
    const { root } = await administrator(test);
    const ada = await createUser();
    for (const path of Object.keys(PATHS)) {
      const trail = await captureAuditEntries(test, async () => {
        const refused = await call('GET', path, { token: ada.accessToken });
        t.equal(refused.status, 403);
        t.equal(refused.body.code, 'FORBIDDEN');
      });
      t.match(trail, [{ action: 'ACCESS_DENIED', outcome: 'DENIED' }]);
      t.equal(trail.length, 1);
      t.equal((await call('GET', path, { token: root.accessToken })).status, 200);
    }
    t.equal(await demoteAdministrator(database, root.email), 'DEMOTED');
    for (const path of Object.keys(PATHS)) {
      t.equal((await call('GET', path, { token: root.accessToken })).status, 401, path);
    }
  },
);

t.test('every administrator read is audited as HIGH, with each user it shows', async (t) => {
  const test = await startTestApp(t);
  const { call, database } = test;
  const { root } = await administrator(test);
  const { reference } = await database.client.auditActor.findUniqueOrThrow({ where: { userId: root.id } });
  for (const [path, [action, resourceType]] of Object.entries(PATHS)) {
    const trail = await captureAuditEntries(test, () => call('GET', path, { token: root.accessToken }));
    const expectedTotal = path === '/api/admin/users' ? 2 : 1;
    t.equal(trail.length, expectedTotal);
    for (const entry of trail) t.match(entry, { action, severity: 'HIGH', outcome: 'SUCCESS' });
    const entry = await database.client.auditEntry.findFirstOrThrow({ where: { action } });
    t.match(entry, { resourceType, actorReference: reference });
  }
});

t.test('users are listed, searched and filtered', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const { root } = await administrator(test);
  const ada = await createUser({ email: 'ada_1@example.org' });
  await createUser({ email: 'adax1@example.org', profile: false });
  await insertTestQrCode(test, ada.id, { id: generateAbsentId() });
  await call('PUT', `/api/auth/profile/${ada.id}`, {
    token: ada.accessToken,
    body: { firstName: 'Zoë', phone: '+44 20 7946 0000' },
  });
  await call('POST', '/api/auth/register', {
    body: { email: 'waits@example.org', password: 'a long enough password' },
  });
  const users = async (query: string) => {
    const { status, body, text } = await call('GET', `/api/admin/users?${query}`, {
      token: root.accessToken,
    });
    t.equal(status, 200, text);
    return { ...body, emails: body.data.map((user: { email: string }) => user.email).sort() };
  };

  const all = await users('');
  t.match(all.pagination, { page: 1, limit: 10, total: 5, totalPages: 1 });
  const one = all.data.find((user: { id: string }) => user.id === ada.id);
  t.match(one, { email: ada.email, firstName: 'Zoë', role: 'USER', status: 'ACTIVE', qrCodes: 1 });
  t.match(one.lastLoginAt, /^\d{4}-.*Z$/);
  const waits = all.data.find((user: { email: string }) => user.email === 'waits@example.org');
  t.match(waits, { status: 'PENDING_VERIFICATION', lastLoginAt: null, qrCodes: 0 });
  t.notMatch(JSON.stringify(all.data), /password|hash|phone|7946|\$2[aby]\$/i, 'no secrets');

  t.same((await users('search=ADA_1')).emails, ['ada_1@example.org'], 'wildcards are matched literally');
  t.same((await users(`search=${encodeURIComponent('zoë')}`)).emails, ['ada_1@example.org']);
  t.same((await users('search=%25')).emails, []);
  t.same((await users('search=%27%3B--')).emails, []);
  t.same((await users('role=ADMIN')).emails, ['root@example.org', 'second@example.org']);
  t.same((await users('status=VERIFIED')).emails, ['adax1@example.org']);
  t.equal((await users('role=ADMIN&role=USER')).pagination.total, 5);
  t.same((await users('role=ADMIN&status=SUSPENDED')).emails, []);
  t.equal((await users('search=undefined&role=null&status=&page=undefined')).pagination.total, 5);
  const page = await users('page=2&limit=2');
  t.match(page.pagination, { page: 2, limit: 2, total: 5, totalPages: 3 });
  t.equal(page.data.length, 2);

  for (const query of ['role=ROOT', 'status=active', 'limit=1000', `search=${'x'.repeat(101)}`, 'page=0']) {
    t.equal((await call('GET', `/api/admin/users?${query}`, { token: root.accessToken })).status, 400, query);
  }
  t.equal(
    (await call('GET', '/api/admin/users?page=101&limit=100', { token: root.accessToken })).body.code,
    'USE_CURSOR',
  );
  const first = await call('GET', '/api/admin/users', { token: root.accessToken });
  const headers = { 'if-none-match': String(first.headers.etag) };
  t.equal((await call('GET', '/api/admin/users', { token: root.accessToken, headers })).status, 304);
  await database.client.user.update({ where: { id: ada.id }, data: { status: 'SUSPENDED' } });
  t.same((await users('status=SUSPENDED')).emails, ['ada_1@example.org']);
});

t.test('codes are listed without their content, searched and filtered', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const { root } = await administrator(test);
  const ada = await createUser({ email: 'ada@example.org' });
  const past = new Date(Date.now() - 1000);
  const rex = await insertTestQrCode(test, ada.id, { id: generateAbsentId(), pinHash: 'k1:secret' });
  await database.client.scanCount.create({
    data: { qrCodeId: rex, total: 5, humans: 4, uniques: 2, lastScannedAt: past },
  });
  const bag = await insertTestQrCode(test, root.id, {
    id: generateAbsentId(),
    kind: 'MEMORY_TAG',
    title: '100% Oma',
    expiresAt: past,
  });
  const gone = await insertTestQrCode(test, ada.id, {
    id: generateAbsentId(),
    status: 'DELETED',
    deletedAt: past,
    expiresAt: past,
  });
  const codes = async (query: string) => {
    const { status, body, text } = await call('GET', `/api/admin/qrcodes?${query}`, {
      token: root.accessToken,
    });
    t.equal(status, 200, text);
    return { ...body, ids: body.data.map((code: { id: string }) => code.id).sort() };
  };

  const all = await codes('');
  t.same(all.ids, [rex, bag, gone].sort());
  const one = all.data.find((code: { id: string }) => code.id === rex);
  t.match(one, {
    accountId: ada.id,
    ownerEmail: 'ada@example.org',
    kind: 'PET',
    title: 'Rex',
    status: 'ACTIVE',
    hasPin: true,
  });
  t.match(one, { scanCount: 5, counts: { total: 5, humans: 4, unique: 2 }, expiresAt: null });
  t.notMatch(JSON.stringify(all.data), /"data"|visibility|pinHash|secret|sealed/, 'no content, no hash');

  t.same((await codes('search=100%25')).ids, [bag]);
  t.same((await codes('search=rEx')).ids, [rex, gone].sort());
  for (const kind of ['MEMORY_TAG', 'memory-tag', 'Memory%20Tag'])
    t.same((await codes(`kind=${kind}`)).ids, [bag]);
  t.same((await codes('status=EXPIRED')).ids, [bag]);
  t.same((await codes('status=DELETED')).ids, [gone]);
  t.same((await codes('status=ACTIVE')).ids, [rex]);
  t.equal((await codes('status=ACTIVE&status=EXPIRED&status=DELETED')).pagination.total, 3);
  t.same((await codes(`accountId=${root.id}`)).ids, [bag]);
  t.same((await codes(`ownerId=${root.id}`)).ids, [bag]);
  t.same((await codes(`accountId=${generateAbsentId()}`)).data, []);
  t.equal((await codes('search=&kind=null&status=undefined&accountId=')).pagination.total, 3);
  for (const query of ['kind=NONE', 'status=ON', 'accountId=x']) {
    const wrong = await call('GET', `/api/admin/qrcodes?${query}`, { token: root.accessToken });
    t.equal(wrong.status, 400, query);
    t.equal(wrong.body.errors.length, 1);
  }
});

t.test('analytics count users, QR codes, scans and memory tags', async (t) => {
  await waitForDay();
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const { root } = await administrator(test);
  const ada = await createUser();
  const code = await insertTestQrCode(test, ada.id, { id: generateAbsentId() });
  await insertTestQrCode(test, ada.id, {
    id: generateAbsentId(),
    kind: 'URL',
    status: 'DELETED',
    deletedAt: new Date(),
  });
  await call('POST', '/api/memory-tags', { token: ada.accessToken, body: { name: 'Minka' } });
  const scan = (daysAgo: number, visitor: string, scanClass = 'HUMAN') =>
    insertTestScan(test, code, ada.id, {
      at: new Date(Date.now() - daysAgo * DAY_MS),
      visitor,
      class: scanClass,
    });
  await scan(0, 'a');
  await scan(0, 'a', 'DUPLICATE');
  await scan(3, 'a');
  await scan(3, 'a');
  await scan(3, 'b');
  await scan(40, 'b');
  await scan(100, 'c', 'BOT');
  const read = () => call('GET', '/api/admin/analytics', { token: root.accessToken });
  const days = () => database.client.dailyServiceCount.count();
  const dayAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);
  const early = await read();
  t.equal(early.status, 200, early.text);
  t.equal(early.body.countedTo, dayAgo(101), 'a long history is not counted during the request');
  t.match(early.body, { scans: { total: 0, today: { total: 0 } }, users: { total: 3 } });

  await createDailyCountsJob({ database })({});
  const { status, body, text, headers } = await read();
  t.equal(status, 200, text);
  t.match(body, {
    countedTo: dayAgo(0),
    users: {
      total: 3,
      byStatus: { ACTIVE: 3 },
      byRole: { ADMIN: 2, USER: 1 },
      newLast7Days: 3,
      newLast30Days: 3,
      newPrevious30Days: 0,
    },
    qrCodes: { total: 2, byStatus: { ACTIVE: 1, DELETED: 1 }, byKind: { PET: 1, URL: 1 }, newLast7Days: 2 },
    scans: {
      total: 7,
      humans: 5,
      unique: 4,
      today: { total: 2, humans: 1, unique: 1 },
      last7Days: { total: 5, humans: 4, unique: 3 },
      last30Days: { total: 5, humans: 4, unique: 3 },
      previous30Days: { total: 1, humans: 1, unique: 1 },
    },
    memoryTags: { total: 1 },
    mails: { failed: 0 },
  });
  t.equal(body.days.length, 30);
  t.match(body.days.at(-1), { day: new Date().toISOString().slice(0, 10), users: 3, qrCodes: 2 });
  t.match(body.days.at(-4).scans, { total: 3, humans: 3, unique: 2 });
  t.equal(headers['cache-control'], 'no-store');

  const storedDays = await days();
  // Yesterday is counted ten minutes after midnight.
  t.ok(storedDays >= 99, 'every past day is stored, also days without events');
  await createDailyCountsJob({ database })({});
  t.equal(await days(), storedDays, 'a second run stores no further days');
  const { rowCount } = await database.pool.query(
    "DELETE FROM daily_service_counts WHERE day >= (now() AT TIME ZONE 'UTC')::date - 2",
  );
  t.ok(rowCount, 'days are missing again');
  const again = (await read()).body;
  t.same({ ...again, at: null }, { ...body, at: null }, 'stored and recounted days are the same');

  await t.test(
    'a count that takes too long is aborted, and `countedTo` is the last complete day',
    { skip: STATEMENT_TIMEOUTS_MISSING },
    async (t) => {
      const now = new Date();
      const { connection, end } = await beginPgTransaction(database, 'WRITE');
      await connection.query('LOCK TABLE scans IN ACCESS EXCLUSIVE MODE');
      const running = await computeUnstoredDailyCounts(database, now, 50).finally(() => end('ROLLBACK'));
      t.equal(running.days, null);
      const facts = toServiceAnalyticsView(
        {
          ...(await readServiceAnalytics(database.client, now, running)),
          rollUps: { buckets: 0, since: null },
        },
        now,
      );
      t.match(facts, { countedTo: dayAgo(3), scans: { total: 5, today: { total: 0 } }, users: { total: 3 } });
      t.equal((await computeUnstoredDailyCounts(database, now)).days?.length, 1, 'a later count succeeds');
    },
  );
});
