import { generateAbsentId, startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries, insertTestQrCode } from '../audit-trail-helper.ts';

async function createStaff(test: TestApp): Promise<{ root: TestUser; helper: TestUser }> {
  const root = await test.createUser({ email: 'root@example.org', role: 'ADMIN' });
  const helper = await test.createUser({ email: 'helper@example.org', role: 'SUPPORT' });
  return { root, helper };
}

async function insertUsers({ database }: TestApp, count: number, name: string): Promise<void> {
  const data = Array.from({ length: count }, (_, index) => ({
    id: generateAbsentId(),
    email: `${name}${index}@example.net`,
    status: 'ACTIVE',
    firstName: 'Zora',
    lastName: 'Q',
    accountType: 'INDIVIDUAL',
  }));
  await database.client.user.createMany({ data });
  await database.client.auditActor.createMany({
    data: data.map(({ id }) => ({ userId: id, reference: generateAbsentId() })),
    skipDuplicates: true,
  });
}

t.test('support finds users and QR codes by text or id, and reads no content', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { helper } = await createStaff(test);
  const ada = await createUser({ email: 'ada.lovelace@example.org' });
  const rex = await insertTestQrCode(test, ada.id, { id: generateAbsentId(), title: 'Rex the dog' });
  const gone = await insertTestQrCode(test, ada.id, {
    id: generateAbsentId(),
    title: 'Rex before',
    status: 'DELETED',
    deletedAt: new Date(),
  });
  const find = (path: string) => call('GET', `/api/support/${path}`, { token: helper.accessToken });

  const trail = await captureAuditEntries(test, async () => {
    const { body } = await find('users?search=ADA.LOVELACE');
    t.equal(body.pagination.total, 1);
    t.match(body.data, [{ id: ada.id, email: ada.email, firstName: 'Ada', qrCodes: 1 }]);
    t.notOk('role' in body.data[0] || 'phone' in body.data[0]);
  });
  t.match(trail, [{ action: 'SUPPORT_USERS_SEARCHED', severity: 'HIGH' }]);

  for (const [query, found] of [
    ['search=rex', [gone, rex]],
    [`id=${rex}`, [rex]],
    [`accountId=${ada.id}`, [gone, rex]],
    [`ownerId=${ada.id}`, [gone, rex]],
  ] as const) {
    const { body } = await find(`qrcodes?${query}`);
    t.same(body.data.map(({ id }: { id: string }) => id).sort(), [...found].sort(), query);
    t.notOk('data' in body.data[0] || 'counts' in body.data[0], 'neither content nor scans');
  }
  for (const query of [
    'users',
    'users?search=',
    'users?search=ab',
    'qrcodes',
    'qrcodes?search=%25%25',
    'qrcodes?id=x',
  ]) {
    t.equal((await find(query)).status, 400, query);
  }
  for (const path of ['users?search=%25ada', 'users?search=a_d%25a', 'qrcodes?search=r_x%25x']) {
    t.equal((await find(path)).body.pagination.total, 0, 'wildcards are matched literally');
  }
});

t.test('support searches need three letters or digits and show at most 100 results', async (t) => {
  const test = await startTestApp(t);
  const { helper } = await createStaff(test);
  await insertUsers(test, 130, 'crowd');
  const find = (path: string) => test.call('GET', `/api/support/${path}`, { token: helper.accessToken });

  for (const search of [
    '   ',
    '\u00a0\u00a0\u00a0',
    '\u2000\u2000\u2000',
    '\u200d\u200d\u200da',
    '@ex',
    'a  ',
    '  ab  ',
    '%%%',
    '___',
    '...',
    'a@.b',
    '\u0301\u0301\u0301',
  ]) {
    for (const path of ['users', 'qrcodes']) {
      const answer = await find(`${path}?search=${encodeURIComponent(search)}`);
      t.equal(answer.status, 400, `${path} ${JSON.stringify(search)}`);
      t.match(answer.body, { code: 'VALIDATION_FAILED', errors: [{ field: 'search' }] });
    }
  }
  t.equal(
    (await find(`qrcodes?search=%20%20%20&accountId=${helper.id}`)).status,
    400,
    'also with another filter',
  );
  for (const [search, total] of [
    ['  HELPER@example.org ', 1],
    ['犬犬犬', 0],
    ['crowd12@', 1],
  ] as const)
    t.equal((await find(`users?search=${encodeURIComponent(search)}`)).body.pagination.total, total, search);

  const ids = new Set<string>();
  for (let page = 1; page <= 8; page += 1) {
    const { status, body } = await find(`users?search=crowd&limit=30&page=${page}`);
    t.equal(status, 200);
    t.match(body.pagination, { page, limit: 30, total: 100, totalPages: 4 });
    for (const { id } of body.data) ids.add(id);
  }
  t.equal(ids.size, 100, 'over all pages');
  t.same((await find('users?search=crowd&limit=100&page=2')).body.data, []);
});

t.test('users see that staff read their data, and one request writes few audit entries', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const { root, helper } = await createStaff(test);
  const ada = await createUser({ email: 'ada.lovelace@example.org' });
  const grace = await createUser({ email: 'grace.hopper@example.org' });
  await insertTestQrCode(test, ada.id, { id: generateAbsentId(), title: 'Heirloom of Ada' });
  await insertTestQrCode(test, ada.id, { id: generateAbsentId(), title: 'Heirloom again' });
  await insertTestQrCode(test, grace.id, { id: generateAbsentId(), title: 'Heirloom of Grace' });
  const seenBy = async ({ accessToken: token }: TestUser): Promise<string[]> => {
    const { body } = await call('GET', '/api/audit/mine?by=OTHERS&limit=100', { token });
    return body.data
      .filter(({ who }: { who: string }) => who === 'STAFF')
      .map(
        ({ action, resourceType }: { action: string; resourceType: string }) => `${action} ${resourceType}`,
      )
      .sort();
  };

  for (const [token, path, action, adaSees, graceSees] of [
    [helper.accessToken, `support/qrcodes?accountId=${ada.id}`, 'SUPPORT_QRCODES_SEARCHED', true, false],
    [root.accessToken, `admin/qrcodes?accountId=${ada.id}`, 'ADMIN_QRCODES_LISTED', true, false],
    [
      root.accessToken,
      `admin/qrcodes?accountId=${ada.id}&search=nothing`,
      'ADMIN_QRCODES_LISTED',
      true,
      false,
    ],
    [helper.accessToken, `support/users?search=${ada.email}`, 'SUPPORT_USERS_SEARCHED', true, false],
    [helper.accessToken, 'support/qrcodes?search=heirloom', 'SUPPORT_QRCODES_SEARCHED', true, true],
    [root.accessToken, 'admin/qrcodes?search=heirloom', 'ADMIN_QRCODES_LISTED', true, true],
    [root.accessToken, `admin/users?search=${grace.email}`, 'ADMIN_USERS_LISTED', false, true],
    [root.accessToken, 'admin/users', 'ADMIN_USERS_LISTED', true, true],
    [helper.accessToken, 'support/users?search=nobody', 'SUPPORT_USERS_SEARCHED', false, false],
  ] as const) {
    const before = { ada: await seenBy(ada), grace: await seenBy(grace) };
    const trail = await captureAuditEntries(test, async () =>
      t.equal((await call('GET', `/api/${path}`, { token })).status, 200, path),
    );
    t.same(new Set(trail.map((entry) => entry.action)), new Set([action]), path);
    const entry = `${action} USER`;
    t.same(await seenBy(ada), adaSees ? [entry, ...before.ada].sort() : before.ada, `Ada: ${path}`);
    t.same(await seenBy(grace), graceSees ? [entry, ...before.grace].sort() : before.grace, `Grace: ${path}`);
  }

  await insertUsers(test, 20, 'crowd');
  for (const [query, entries] of [
    ['search=crowd&limit=10', 10],
    ['search=crowd&limit=11', 1],
    ['search=crowd&limit=100', 1],
  ] as const) {
    const trail = await captureAuditEntries(test, () =>
      call('GET', `/api/support/users?${query}`, { token: helper.accessToken }),
    );
    t.equal(trail.length, entries, `${query}: number of audit entries`);
  }
  const origins = await test.database.pool.query(
    `SELECT count(*)::int AS entries, count(origin.entry_id)::int AS origins, count(DISTINCT ip_hash)::int AS hashes
     FROM audit_entries AS entry LEFT JOIN audit_origins AS origin ON origin.entry_id = entry.id
     WHERE action = 'SUPPORT_USERS_SEARCHED'`,
  );
  const { entries, origins: known, hashes } = origins.rows[0];
  t.same([known, hashes], [entries, entries], 'each entry has its own origin, hashed with its own salt');
});
