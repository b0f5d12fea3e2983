import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { startTestApp, TEST_SECRETS } from '../helper.ts';
import { t } from '../tap.ts';

interface Parts {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
}

const ISSUER = 'qr-profile-service';
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

function signToken(parts: Parts, secret: string | Buffer, hash = 'sha256'): string {
  const text = `${encode(parts.header)}.${encode(parts.payload)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

function decodeToken(token: string): Parts {
  const read = (index: number) =>
    JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
  return { header: read(0), payload: read(1) };
}

t.test('a token with a wrong signature, purpose or time is 401', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken, id } = await createUser();
  const { header, payload } = decodeToken(accessToken);
  t.same(header, { alg: 'HS256', typ: 'JWT' });
  t.match(payload, { sub: id, role: 'USER', sid: /^[0-9a-f]{24}$/, iss: ISSUER, exp: Number });
  t.equal(Number(payload.exp) - Number(payload.iat), 900);

  const key = TEST_SECRETS.JWT_SECRET;
  const signed = (changes: Parameters<typeof Object.assign>[0], head: object = {}) =>
    signToken({ header: { ...header, ...head }, payload: { ...payload, ...changes } }, key);
  t.equal(
    (await call('GET', '/api/auth/me', { token: signed({}) })).status,
    200,
    'a correctly signed token is accepted',
  );

  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const rsText = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(payload)}`;
  const [head, body, signature] = accessToken.split('.');
  const variants: Record<string, string> = {
    'alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
    'alg NoNe with the old signature': `${encode({ alg: 'NoNe', typ: 'JWT' })}.${body}.${signature}`,
    'no signature': `${head}.${body}.`,
    'RS256 by a key of their own': `${rsText}.${createSign('sha256').update(rsText).sign(privateKey, 'base64url')}`,
    'HS256 with a public key as secret': signToken({ header, payload }, String(pem)),
    'HS512 by the right key': signToken({ header: { ...header, alg: 'HS512' }, payload }, key, 'sha512'),
    'HS384 named, HS256 made': signed({}, { alg: 'HS384' }),
    'an empty key': signToken({ header, payload }, ''),
    'kid of an empty file': signToken({ header: { ...header, kid: '../../../dev/null' }, payload }, ''),
    'kid with SQL': signToken({ header: { ...header, kid: "x' UNION SELECT 'k" }, payload }, 'k'),
    'jku and jwk of their own': signToken(
      { header: { ...header, jku: 'http://127.0.0.1:1/keys', jwk: { kty: 'oct', k: 'aw' } }, payload },
      'k',
    ),
    'unknown crit': signed({}, { crit: ['exp-in-header'], 'exp-in-header': 1 }),
    'another issuer': signed({ iss: 'somebody-else' }),
    'no issuer': signed({ iss: undefined }),
    'another audience': signed({ aud: 'qr-profile-service/other' }),
    'no audience': signed({ aud: undefined }),
    expired: signed({ exp: now() - 1 }),
    'no expiry': signed({ exp: undefined }),
    'not yet valid': signed({ nbf: now() + 60 }),
    'another session': signed({ sid: '0'.repeat(24) }),
    'no session': signed({ sid: undefined }),
    'a session that is no id': signed({ sid: { not: '' } }),
    'another payload under the old signature': `${head}.${encode({ ...payload, role: 'ADMIN' })}.${signature}`,
    'a changed signature': `${head}.${body}.${signature?.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
  };
  for (const [name, token] of Object.entries(variants)) {
    const answer = await call('GET', '/api/auth/me', { token });
    t.equal(answer.status, 401, name);
    t.equal(answer.body.code, 'UNAUTHENTICATED', name);
  }
});

t.test('uses the role of the row, not of the token', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken } = await createUser();
  const { header, payload } = decodeToken(accessToken);
  const token = signToken({ header, payload: { ...payload, role: 'ADMIN' } }, TEST_SECRETS.JWT_SECRET);
  t.equal((await call('GET', '/api/auth/me', { token })).body.user.role, 'USER');
});

t.test('accepts a credential only in the Authorization header and its exact form', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken } = await createUser();
  const status = async (authorization: string) =>
    (await call('GET', '/api/auth/me', { headers: { authorization } })).status;
  t.equal(await status(`Bearer ${accessToken}`), 200);
  t.equal(await status(`bearer ${accessToken}`), 200);
  for (const header of [
    accessToken,
    `Basic ${accessToken}`,
    `Bearer  ${accessToken}`,
    `Bearer ${accessToken}, x`,
    'Bearer',
    '',
  ]) {
    t.equal(await status(header), 401, header.slice(0, 20));
  }
  for (const name of ['access_token', 'token']) {
    t.equal((await call('GET', `/api/auth/me?${name}=${accessToken}`)).status, 401);
    t.equal(
      (await call('GET', '/api/auth/me', { headers: { cookie: `${name}=${accessToken}` } })).status,
      401,
    );
  }
});

t.test('treats an invalid credential on a public route as none', async (t) => {
  const { call } = await startTestApp(t);
  t.equal((await call('GET', '/', { token: 'a.b.c' })).status, 200);
  t.equal(
    (
      await call('POST', '/api/auth/login', {
        token: 'a.b.c',
        body: { email: 'a@example.org', password: 'x' },
      })
    ).body.code,
    'CREDENTIALS_INVALID',
  );
});
