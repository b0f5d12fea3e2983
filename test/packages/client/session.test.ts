import { createClient, SecondFactorRequiredError } from '@qr-profile-service/client';
import { enableSecondFactor } from '../../features/identity/second-factor/helper.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createRecordingFetch, createTestStore, createUserClient } from './helper.ts';

const test = await startTestApp(t);
const baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });

t.test('registers, confirms the address with a one-time code, and logs out', async (t) => {
  const email = 'rita@example.org';
  const client = createClient({ baseUrl });
  await client.post('/api/auth/register', { body: { email, password: TEST_PASSWORD } });
  const { user } = await client.auth.verifyOtp({ email, otp: await test.getOtp(email) });
  t.equal((await client.get('/api/auth/me')).user.id, user.id);
  const accessToken = (await client.auth.getAccessToken()) ?? '';
  await client.auth.logOut();
  t.equal(await client.auth.getSession(), null);
  await t.rejects(client.get('/api/auth/me'), { status: 401, code: 'UNAUTHENTICATED' });
  const other = createClient({ baseUrl, token: accessToken });
  await t.rejects(
    other.get('/api/auth/me'),
    { code: 'UNAUTHENTICATED' },
    'the session has ended in the service',
  );
});

t.test('a login asks for the second factor only if there is one', async (t) => {
  const user = await test.createUser();
  const credentials = { email: user.email, password: TEST_PASSWORD };
  const client = createClient({ baseUrl });
  const fail = () => Promise.reject(new Error('asked'));
  await client.auth.logIn({ ...credentials, secondFactor: fail });
  const { recoveryCodes } = await enableSecondFactor(test, user);
  const [first = '', second = ''] = recoveryCodes;

  await client.auth.logIn({ ...credentials, secondFactor: () => ({ recoveryCode: first }) });
  t.equal((await client.get('/api/auth/mfa')).recoveryCodesLeft, 9);
  const error = await client.auth.logIn(credentials).catch((reason: unknown) => reason);
  if (!(error instanceof SecondFactorRequiredError)) throw error;
  const { mfaToken } = error;
  await client.auth.verifySecondFactor({ mfaToken, recoveryCode: second });
  t.equal((await client.get('/api/auth/mfa')).recoveryCodesLeft, 8);
});

t.test('calls at the same time share one refresh, whose answer may be lost', async (t) => {
  const refreshPath = '/api/auth/refresh-token';
  const user = await test.createUser();
  const { fetch, requests } = createRecordingFetch((path, count) => path === refreshPath && count === 1);
  const { client, store } = await createUserClient(baseUrl, user, { fetch });
  const before = store.session;
  if (before) store.session = { ...before, expiresAt: 0 };
  await Promise.all(Array.from({ length: 5 }, () => client.get('/api/auth/me')));
  t.equal(requests.filter(({ path }) => path === refreshPath).length, 2, 'once, and once more');
  t.not(store.session?.refreshToken, before?.refreshToken);
});

t.test('an access token that ended early is refreshed, and a creation keeps its key', async (t) => {
  const user = await test.createUser();
  const { fetch, requests } = createRecordingFetch();
  const { client, store } = await createUserClient(baseUrl, user, { fetch });
  if (store.session) store.session = { ...store.session, accessToken: 'no longer valid' };
  await client.post('/api/qrcodes', { body: { kind: 'TEXT', title: 'A', data: { text: 'A' } } });
  const keys = requests.filter(({ path }) => path === '/api/qrcodes').map(({ key }) => key);
  t.equal(keys.length, 2);
  t.match(keys[0], /^[0-9a-f]{32}$/);
  t.equal(keys[0], keys[1]);
});

t.test(
  'the session is forgotten when it cannot be refreshed, and kept when the service is unreachable',
  async (t) => {
    const user = await test.createUser();
    const session = { accessToken: 'a', refreshToken: 'unknown', expiresAt: 0 };
    const store = createTestStore(session);
    await t.rejects(createClient({ baseUrl, session: store }).get('/api/auth/me'), {
      code: 'REFRESH_TOKEN_INVALID',
    });
    t.equal(store.session, null);

    const { client, store: unchanged } = await createUserClient(baseUrl, user, {
      maxRetries: 0,
      fetch: createRecordingFetch((path) => path === '/api/auth/refresh-token').fetch,
    });
    if (unchanged.session) unchanged.session = { ...unchanged.session, expiresAt: 0 };
    await t.rejects(client.get('/api/auth/me'), { name: 'NetworkError' });
    t.ok(unchanged.session);
  },
);

t.test('a refresh of another tab is used', async (t) => {
  const user = await test.createUser();
  const { client, store } = await createUserClient(baseUrl, user);
  const tab = createClient({ baseUrl, session: store });
  if (store.session) store.session = { ...store.session, expiresAt: 0 };
  await tab.get('/api/auth/me');
  const refreshed = store.session;
  await client.get('/api/auth/me');
  t.equal(store.session, refreshed);
});

t.test('an API key needs no session', async (t) => {
  const user = await test.createUser();
  const { client } = await createUserClient(baseUrl, user);
  const { token } = await client.post('/api/api-keys', { body: { name: 'ERP', scopes: ['qr-codes:read'] } });
  const program = createClient({ baseUrl, token });
  t.same((await program.get('/api/qrcodes')).data, []);
  await t.rejects(program.get('/api/scans'), { status: 403, code: 'SCOPE_REQUIRED' });
});
