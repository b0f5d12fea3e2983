import { findOpenSession } from '../../src/platform/authentication.repository.ts';
import { generateId } from '../../src/shared/ids.ts';
import { signInBrowser } from '../features/owner-pages/signed-in-browser.ts';
import { startTestApp, type TestApp } from '../helper.ts';
import { insertOrganization } from '../insert-organization.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';

const listCodes = ({ call }: TestApp, token: string, accountId?: string) =>
  call('GET', '/api/qrcodes', {
    token,
    ...(accountId !== undefined && { headers: { 'account-id': accountId } }),
  });

const findDenials = async ({ database }: TestApp) =>
  (
    await database.client.auditEntry.findMany({ where: { action: 'ACCESS_DENIED' }, orderBy: { id: 'asc' } })
  ).map(({ outcome, resourceType }) => `${outcome} ${resourceType}`);

t.test('a request acts for the personal account, or for one that Account-Id names', async (t) => {
  const test = await startTestApp(t);
  const { id, accessToken: token } = await test.createUser();
  const school = await insertOrganization(test, { members: [{ userId: id, role: 'MANAGER' }] });
  for (const named of [undefined, id, school])
    t.equal((await listCodes(test, token, named)).status, 200, String(named));
  t.same(await findDenials(test), []);

  const { id: sessionId } = await test.database.client.session.findFirstOrThrow();
  const findAccount = async (accountId: string | null) =>
    (await findOpenSession(test.database.pool, sessionId, false, { accountId }))?.account;
  const state = { status: 'ACTIVE', isEnterprise: false, mustLogIn: false, folderIds: null };
  t.same(await findAccount(null), { id, type: 'PERSONAL', role: 'OWNER', ...state });
  t.same(await findAccount(school), { id: school, type: 'ORGANIZATION', role: 'MANAGER', ...state });
});

t.test('operations on records of an account document the header, and their answers vary by it', async (t) => {
  const test = await startTestApp(t);
  const { accessToken: token } = await test.createUser();
  const { paths, components } = await getOpenApiDocument(test.call);
  t.match(components.parameters.AccountId, { name: 'Account-Id', in: 'header', required: false });
  const takesHeader = (url: string, method: string) =>
    JSON.stringify(paths[url][method].parameters ?? []).includes('"Account-Id"');
  for (const [url, isOfAccount] of [
    ['/api/qrcodes', true],
    ['/api/documents', true],
    ['/api/auth/me', false],
    ['/api/notifications', false],
  ] as const) {
    t.equal(takesHeader(url, 'get'), isOfAccount, url);
    const { headers } = await test.call('GET', url, { token });
    t.equal(/\bAccount-Id\b/.test(String(headers.vary)), isOfAccount, url);
  }
  t.ok(takesHeader('/api/qrcodes/{id}', 'patch'));
});

t.test(
  'an account that is unknown, foreign, deleted or was left is not found, and the attempt is audited',
  async (t) => {
    const test = await startTestApp(t);
    const ada = await test.createUser();
    const bob = await test.createUser();
    const members = [{ userId: ada.id, role: 'OWNER' }] as const;
    const [deleted, left] = [
      await insertOrganization(test, { members }),
      await insertOrganization(test, { members }),
    ];
    await test.database.pool.query("UPDATE accounts SET status = 'DELETED', name = NULL WHERE id = $1", [
      deleted,
    ]);
    await test.database.pool.query('DELETE FROM memberships WHERE account_id = $1', [left]);
    const bodies = new Set<string>();
    const named = [generateId(), bob.id, await insertOrganization(test), deleted, left];
    for (const id of named) {
      const { status, body } = await listCodes(test, ada.accessToken, id);
      t.match({ status, code: body.code }, { status: 404, code: 'ACCOUNT_NOT_FOUND' });
      bodies.add(JSON.stringify({ ...body, requestId: '' }));
    }
    t.equal(bodies.size, 1, 'one answer for all');
    t.same(
      await findDenials(test),
      named.map(() => 'DENIED QRCODE'),
    );
    t.equal((await listCodes(test, '', bob.id)).status, 401, 'without a credential nothing is told');
  },
);

t.test('a malformed Account-Id is invalid', async (t) => {
  const test = await startTestApp(t);
  const { id, accessToken: token } = await test.createUser();
  for (const value of ['', 'school', `${id}, ${id}`, id.toUpperCase().replace(/\d$/, 'A')]) {
    const { status, body } = await listCodes(test, token, value);
    t.equal(status, 400, value);
    t.match(
      body,
      { code: 'VALIDATION_FAILED', errors: [{ field: 'Account-Id', code: 'BAD_FORMAT' }] },
      value,
    );
  }
  t.same(await findDenials(test), []);
  t.equal((await test.call('GET', '/api/qrcodes', { headers: { 'account-id': 'school' } })).status, 401);
});

t.test('Account-Id is ignored where an operation is of the user, or takes no credential', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  for (const accountId of [generateId(), 'school']) {
    const headers = { 'account-id': accountId };
    for (const url of ['/api/auth/me', '/api/notifications', '/api/auth/sessions'])
      t.equal((await call('GET', url, { token, headers })).status, 200, url);
    t.equal((await call('GET', '/api/health/live', { headers })).status, 200);
    const scan = await call('POST', '/api/scans/public', { headers, body: { qrCodeId: generateId() } });
    t.equal(scan.body.code, 'NOT_FOUND', 'nobody who scans without a session acts for an account');
  }
});

t.test('an API key acts for its own account alone', async (t) => {
  const test = await startTestApp(t);
  const { id, accessToken: token } = await test.createUser();
  const body = { name: 'ERP', scopes: ['qr-codes:read'] };
  const { body: key } = await test.call('POST', '/api/api-keys', { token, body });
  const school = await insertOrganization(test, { members: [{ userId: id, role: 'OWNER' }] });
  t.equal((await listCodes(test, key.token)).status, 200);
  t.equal((await listCodes(test, key.token, id)).status, 200);
  t.equal((await listCodes(test, key.token, school)).body.code, 'ACCOUNT_NOT_FOUND');
  t.equal((await listCodes(test, key.token, 'school')).body.code, 'VALIDATION_FAILED');
  t.same(await findDenials(test), ['DENIED QRCODE']);
});

t.test('an API key of an organization reads nothing of its maker', async (t) => {
  const test = await startTestApp(t);
  const { id, accessToken: token } = await test.createUser();
  const school = await insertOrganization(test, { members: [{ userId: id, role: 'OWNER' }] });
  const scopes = ['qr-codes:read', 'notifications:read', 'account:read'];
  const headers = { 'account-id': school };
  const { body: key } = await test.call('POST', '/api/api-keys', {
    token,
    headers,
    body: { name: 'ERP', scopes },
  });
  t.equal((await listCodes(test, key.token)).status, 200);
  for (const url of ['/api/notifications', '/api/auth/me'])
    t.equal((await test.call('GET', url, { token: key.token })).body.code, 'API_KEY_NOT_ALLOWED', url);
});

t.test(
  'the account of a suspended organization, or one that requires a second factor, is refused',
  async (t) => {
    const test = await startTestApp(t);
    const { id, accessToken: token } = await test.createUser();
    const members = [{ userId: id, role: 'OWNER' }] as const;
    const school = await insertOrganization(test, { members });
    const change = (column: string) =>
      test.database.pool.query(`UPDATE accounts SET ${column} WHERE id = $1`, [school]);
    await change("status = 'SUSPENDED'");
    t.equal((await listCodes(test, token, school)).body.code, 'ACCOUNT_SUSPENDED');
    await change("status = 'ACTIVE', enterprise_mode = true");
    t.equal((await listCodes(test, token, school)).body.code, 'MFA_ENROLLMENT_REQUIRED');
    t.equal((await listCodes(test, token)).status, 200, 'nor is the personal account');
  },
);

t.test('a page acts for the account of its path; that of another account does not exist', async (t) => {
  const test = await startTestApp(t);
  const ada = await test.createUser();
  const browser = await signInBrowser(test, ada);
  const members = [{ userId: ada.id, role: 'OWNER' }] as const;
  const school = await insertOrganization(test, { members });
  for (const id of [ada.id, school]) t.equal((await browser.open(`/app/${id}/codes`)).status, 200, id);
  for (const id of [generateId(), await insertOrganization(test), 'school'])
    t.equal((await browser.open(`/app/${id}/codes`)).status, 404, id);
  t.equal((await browser.open(`/app/${school}/settings/security`)).status, 404, 'settings are of the user');
  t.equal((await browser.open(`/app/${ada.id}/settings/security`)).status, 200);
});
