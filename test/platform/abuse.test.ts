import { startTestApp, TEST_PASSWORD } from '../helper.ts';
import { t } from '../tap.ts';

t.test('accepts no cookie as a credential and no simple cross-site request', async (t) => {
  const app = await startTestApp(t);
  const { accessToken, refreshToken } = await app.createUser();
  for (const cookie of [`accessToken=${accessToken}`, `authorization=Bearer ${accessToken}`]) {
    t.equal((await app.call('GET', '/api/auth/me', { headers: { cookie } })).status, 401);
  }
  const login = await app.call('POST', '/api/auth/login', {
    body: { email: 'nobody@example.org', password: TEST_PASSWORD },
  });
  t.notOk('set-cookie' in login.headers, 'the interface sets none');
  const refresh = JSON.stringify({ refreshToken });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const response = await app.app.inject({
      method: 'POST',
      url: '/api/auth/refresh-token',
      headers: { 'content-type': type, origin: 'https://evil.example' },
      payload: refresh,
    });
    t.equal(response.statusCode, 415, type);
  }
  const body = { refreshToken };
  t.equal((await app.call('POST', '/api/auth/refresh-token', { body })).status, 200, 'nothing was used up');
});

t.test('with all connections in use responds 503 with Retry-After, and recovers by itself', async (t) => {
  const app = await startTestApp(t, { DATABASE_POOL_SIZE: '2' });
  const { accessToken: token } = await app.createUser();
  await app.services.jobs.stop();
  const { pool } = app.database;
  pool.options.connectionTimeoutMillis = 100;
  const taken = await Promise.all([pool.connect(), pool.connect()]);
  const calls = [
    ['GET', '/api/auth/me', { token }],
    ['GET', '/api/qrcodes', { token }],
    ['POST', '/api/auth/forgot-password', { body: { email: 'nobody@example.org' } }],
    ['POST', '/api/scans/public', { body: { qrCodeId: '0123456789abcdef01234567' } }],
    ['GET', '/api/health/ready', {}],
  ] as const;
  const answers = await Promise.all(calls.map(([method, url, options]) => app.call(method, url, options)));
  for (const [index, { status, headers, body }] of answers.entries()) {
    t.equal(status, 503, `${calls[index]?.[1]}`);
    t.equal(headers['retry-after'], '1');
    t.equal(body.code, 'DATABASE_UNAVAILABLE');
  }
  t.equal((await app.call('GET', '/api/health/live')).status, 200);
  for (const connection of taken) connection.release();
  t.equal((await app.call('GET', '/api/auth/me', { token })).status, 200);
});
