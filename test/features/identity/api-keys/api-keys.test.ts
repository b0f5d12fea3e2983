import { API_KEY_SCOPES } from '../../../../src/permissions.ts';
import { generateApiKeyToken } from '../../../../src/shared/api-key-token.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { createSessionToken } from '../../../access/callers.ts';
import { startTestApp, TEST_PASSWORD, type TestUser } from '../../../helper.ts';
import { t } from '../../../tap.ts';

const URL = '/api/api-keys';
const test = await startTestApp(t);
const { call, database } = test;

/** An account with a session from now, without the calls of a registration. */
async function createOwner(role = 'USER') {
  const [id, email] = [generateId(), `${generateId()}@example.org`];
  const names = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await database.client.user.create({ data: { id, email, role, status: 'ACTIVE', ...names } });
  return { id, email, accessToken: (await createSessionToken(test, { id, email })).token };
}

async function createKey({ accessToken: token }: Pick<TestUser, 'accessToken'>, body: object = {}) {
  const created = await call('POST', URL, {
    token,
    body: { name: 'ERP', scopes: ['qr-codes:read'], ...body },
  });
  if (created.status !== 201) throw new Error(created.text);
  return created.body;
}

async function listCodes(token: string, remoteAddress?: string) {
  const { status, body } = await call('GET', '/api/qrcodes', {
    token,
    ...(remoteAddress && { remoteAddress }),
  });
  return status === 200 ? 200 : `${status} ${body.code}`;
}

t.test('a key is shown once, stored hashed, works, and its owner gets an email', async (t) => {
  const owner = await createOwner();
  const created = await call('POST', URL, {
    token: owner.accessToken,
    body: { name: 'ERP', scopes: ['qr-codes:read', 'scans:read'] },
  });
  t.equal(created.status, 201, created.text);
  t.equal(created.headers['cache-control'], 'no-store');
  const { id, token, prefix, expiresAt } = created.body;
  t.equal(created.headers.location, `${URL}/${id}`);
  t.equal(token.startsWith(prefix), true);
  t.ok(Date.parse(expiresAt) > Date.now() + 364 * 86_400_000, 'a year by default');
  t.equal(await listCodes(token), 200);
  t.equal(test.app.verifyAccessToken(token), null, 'no token for a WebSocket');

  const listed = await call('GET', URL, { token: owner.accessToken });
  t.match(listed.body, {
    data: [
      {
        id,
        name: 'ERP',
        prefix,
        status: 'ACTIVE',
        scopes: ['qr-codes:read', 'scans:read'],
        lastUsedAt: /Z$/,
      },
    ],
    pagination: { total: 1 },
  });
  t.notMatch(listed.text, token);
  const read = await call('GET', `${URL}/${id}`, { token: owner.accessToken });
  t.same(read.body, listed.body.data[0]);
  const stored = JSON.stringify(await database.client.$queryRaw`SELECT api_keys::text FROM api_keys`);
  t.notMatch(stored, token);
  t.notMatch(test.log.join(''), token);

  const mail = await test.getMailBySubject(owner.email, /^New API key/);
  t.ok(mail?.text.includes(prefix) && !mail.text.includes(token));
});

t.test('making, rotating and revoking need a recent login', async (t) => {
  const owner = await createOwner();
  const { id } = await createKey(owner);
  await database.client.session.updateMany({
    where: { userId: owner.id },
    data: { createdAt: new Date(Date.now() - 601_000) },
  });
  const { accessToken: token } = owner;
  for (const answer of [
    await call('POST', URL, { token, body: { name: 'x', scopes: ['scans:read'] } }),
    await call('POST', `${URL}/${id}/rotate`, { token, body: {} }),
    await call('DELETE', `${URL}/${id}`, { token }),
  ])
    t.match(answer.body, { status: 403, code: 'REAUTHENTICATION_REQUIRED' });
  t.equal((await call('GET', `${URL}/${id}`, { token })).body.status, 'ACTIVE');
});

t.test('a rotated key works with both tokens for the overlap, and never with an older one', async (t) => {
  const owner = await createOwner();
  const first = await createKey(owner);
  const rotate = async (body: object) => {
    const { accessToken: token } = owner;
    return (await call('POST', `${URL}/${first.id}/rotate`, { token, body })).body;
  };
  const second = await rotate({});
  t.match(second, {
    id: first.id,
    previousTokenExpiresAt: /Z$/,
    rotatedAt: /Z$/,
    expiresAt: first.expiresAt,
  });
  t.same([await listCodes(first.token), await listCodes(second.token)], [200, 200]);
  const third = await rotate({ overlapSeconds: 60, expiresAt: null });
  t.equal(third.expiresAt, null);
  t.same(
    [await listCodes(first.token), await listCodes(second.token), await listCodes(third.token)],
    ['401 UNAUTHENTICATED', 200, 200],
  );
  await database.client.apiKey.update({ where: { id: first.id }, data: { previousExpiresAt: new Date() } });
  t.same([await listCodes(second.token), await listCodes(third.token)], ['401 UNAUTHENTICATED', 200]);

  const revoke = () => call('DELETE', `${URL}/${first.id}`, { token: owner.accessToken });
  const fourth = await rotate({});
  t.match((await revoke()).body, { id: first.id, status: 'REVOKED' });
  t.same(
    [await listCodes(third.token), await listCodes(fourth.token)],
    ['401 UNAUTHENTICATED', '401 UNAUTHENTICATED'],
  );
  t.equal((await revoke()).status, 200, 'repeated');
  t.match(await rotate({}), { status: 409, code: 'API_KEY_ENDED' });
});

t.test('a lost answer of a rotation does not end the token in use', async (t) => {
  const owner = await createOwner();
  const { accessToken: token } = owner;
  const first = await createKey(owner);
  t.equal(await listCodes(first.token), 200);
  const rotate = async () => (await call('POST', `${URL}/${first.id}/rotate`, { token, body: {} })).body;
  const lost = await rotate();
  const second = await rotate();
  t.same(
    [await listCodes(first.token), await listCodes(lost.token), await listCodes(second.token)],
    [200, '401 UNAUTHENTICATED', 200],
  );
});

t.test('unknown and expired keys, and those of suspended and erased accounts, do not work', async (t) => {
  t.equal(await listCodes(generateApiKeyToken(test.services.fieldCipher.hash)), '401 UNAUTHENTICATED');
  const owner = await test.createUser();
  const { id, token } = await createKey(owner);
  await database.client.user.update({ where: { id: owner.id }, data: { status: 'SUSPENDED' } });
  t.equal(await listCodes(token), '403 ACCOUNT_SUSPENDED');
  await database.client.user.update({ where: { id: owner.id }, data: { status: 'ACTIVE' } });
  t.equal(await listCodes(token), 200);
  await database.client.apiKey.update({ where: { id }, data: { expiresAt: new Date() } });
  t.equal(await listCodes(token), '401 UNAUTHENTICATED');
  t.equal((await call('GET', `${URL}/${id}`, { token: owner.accessToken })).body.status, 'EXPIRED');

  const other = await createKey(owner);
  const body = { password: TEST_PASSWORD };
  t.equal((await call('DELETE', '/api/auth/account', { token: owner.accessToken, body })).status, 200);
  t.equal(await listCodes(other.token), '401 UNAUTHENTICATED');
  t.equal(await database.client.apiKey.count({ where: { accountId: owner.id } }), 0);
});

t.test('a key works from its networks only', async (t) => {
  const owner = await createOwner();
  const { token, allowedNetworks } = await createKey(owner, {
    allowedNetworks: ['203.0.113.77/24', '198.51.100.1', '2001:db8::/32'],
  });
  t.same(allowedNetworks, ['203.0.113.0/24', '198.51.100.1/32', '2001:db8::/32']);
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '198.51.100.1', '2001:db8:1::1'])
    t.equal(await listCodes(token, address), 200, address);
  for (const address of ['203.0.114.9', '198.51.100.2', '2001:db9::1', '127.0.0.1'])
    t.equal(await listCodes(token, address), '403 NETWORK_NOT_ALLOWED', address);
});

t.test('a key has no permission of a role, and the error names a missing scope', async (t) => {
  const admin = await createOwner('ADMIN');
  const { token } = await createKey(admin, {
    scopes: API_KEY_SCOPES.filter((scope) => scope !== 'scans:read'),
  });
  t.match((await call('GET', '/api/admin/users', { token })).body, {
    status: 403,
    code: 'API_KEY_NOT_ALLOWED',
  });
  t.match((await call('GET', URL, { token })).body, { status: 403, code: 'API_KEY_NOT_ALLOWED' });
  t.match((await call('GET', '/api/scans', { token })).body, {
    status: 403,
    code: 'SCOPE_REQUIRED',
    detail: 'This operation needs the scope scans:read.',
  });
  const stranger = await createOwner();
  const profile = `/api/auth/profile/${stranger.id}`;
  t.equal((await call('GET', profile, { token })).status, 404);
  t.equal((await call('GET', profile, { token: admin.accessToken })).status, 200);
});

t.test('a key with webhooks:write creates an endpoint', async (t) => {
  const { token } = await createKey(await createOwner(), { scopes: ['webhooks:write'] });
  const body = { url: 'http://localhost:9/hook', eventTypes: ['*'] };
  const created = await call('POST', '/api/webhook-endpoints', { token, body });
  t.match(created, { status: 201, body: { secret: /^whsec_/ } }, created.text);
});

t.test('audit entries name the key that was made and the key that was used', async (t) => {
  const owner = await createOwner();
  const { id, token } = await createKey(owner, { scopes: ['qr-codes:write'] });
  const code = await call('POST', '/api/qrcodes', {
    token,
    body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } },
  });
  t.equal(code.status, 201, code.text);
  await call('DELETE', `/api/qrcodes/${code.body.id}`, { token });
  await call('GET', '/api/scans', { token });
  const { body } = await call('GET', '/api/audit/mine', { token: owner.accessToken });
  for (const action of ['API_KEY_CREATED', 'QRCODE_CREATED', 'QRCODE_DELETED', 'ACCESS_DENIED']) {
    const entry = body.data.find((one: { action: string }) => one.action === action);
    t.ok(entry?.changes.includes(`api-key:${id}`), action);
    t.ok(entry?.text.endsWith(`API key: ${id}.`), action);
  }
});

t.test('the last use is written at most once a minute', async (t) => {
  const owner = await createOwner();
  const { id, token } = await createKey(owner);
  const getLastUse = async () =>
    (await database.client.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt;
  t.equal(await getLastUse(), null);
  await listCodes(token);
  const first = await getLastUse();
  t.ok(first);
  await listCodes(token);
  t.same(await getLastUse(), first);
  await database.client.apiKey.update({
    where: { id },
    data: { lastUsedAt: new Date(Date.now() - 61_000) },
  });
  await listCodes(token);
  t.ok(((await getLastUse()) ?? 0) >= (first ?? 0));
});

t.test('invalid input is refused with the name of each field', async (t) => {
  const { accessToken: token } = await createOwner();
  const { status, body } = await call('POST', URL, {
    token,
    body: {
      name: ' ',
      scopes: ['qr-codes:read', 'admin:users'],
      allowedNetworks: [
        '10.0.0.0/8',
        '10.0.0.0/33',
        'example.org',
        '::ffff:10.0.0.1',
        '::ffff:a00:0/104',
        'fe80::1%eth0',
        '::1/129',
        '1.2.3.4/',
      ],
      expiresAt: '2001-01-01T00:00:00Z',
    },
  });
  t.equal(status, 400);
  t.same(
    body.errors.map(({ field }: { field: string }) => field).toSorted(),
    [1, 2, 3, 4, 5, 6, 7]
      .map((index) => `allowedNetworks[${index}]`)
      .concat('expiresAt', 'name', 'scopes[1]'),
  );
  t.equal((await call('POST', URL, { token, body: { name: 'x', scopes: [] } })).status, 400);
  const allowed = { name: 'x', scopes: ['qr-codes:read'] };
  for (const wrong of [{ allowedNetworks: ['example.org'] }, { expiresAt: '2001-01-01T00:00:00Z' }])
    t.equal((await call('POST', URL, { token, body: { ...allowed, ...wrong } })).status, 400);
});

t.test('an account has up to 25 active keys, and a repeated creation makes no second one', async (t) => {
  const owner = await createOwner();
  const create = (headers: Record<string, string> = {}) =>
    call('POST', URL, { token: owner.accessToken, body: { name: 'x', scopes: ['scans:read'] }, headers });
  const repeated = await Promise.all([1, 2].map(() => create({ 'idempotency-key': 'one-key-and-no-other' })));
  t.same(repeated.map(({ status }) => status).toSorted(), [201, 409]);
  t.equal(repeated.find(({ status }) => status === 409)?.body.code, 'RESPONSE_NOT_STORED');
  const created = await database.client.apiKey.findFirstOrThrow({ where: { accountId: owner.id } });
  const more = Array.from({ length: 23 }, (_, index) => ({
    ...created,
    id: generateId(),
    tokenHash: Buffer.alloc(32, index),
  }));
  await database.client.apiKey.createMany({ data: more });
  const last = await Promise.all([1, 2].map(() => create()));
  t.same(last.map(({ status }) => status).toSorted(), [201, 409]);
  t.equal(last.find(({ status }) => status === 409)?.body.code, 'TOO_MANY_API_KEYS');
});

t.test('a key stays listed for 90 days after its end', async (t) => {
  const owner = await createOwner();
  const [old, recent] = [await createKey(owner), await createKey(owner)];
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  await database.client.apiKey.update({ where: { id: old.id }, data: { revokedAt: ago(91) } });
  await database.client.apiKey.update({ where: { id: recent.id }, data: { expiresAt: ago(89) } });
  for (const step of test.services.features.identity.cleanUp ?? []) await step();
  const { data } = (await call('GET', URL, { token: owner.accessToken })).body;
  t.match(data, [{ id: recent.id, status: 'EXPIRED' }]);
});
