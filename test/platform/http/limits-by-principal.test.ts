import {
  formatRefreshToken,
  generateRefreshTokenSecret,
  hashRefreshTokenSecret,
} from '../../../src/features/identity/accounts/refresh-token.ts';
import { insertApiKey } from '../../../src/features/identity/api-keys/api-key.repository.ts';
import { hashApiKeyToken } from '../../../src/platform/request-credential.ts';
import { generateApiKeyToken, getShownApiKeyPrefix } from '../../../src/shared/api-key-token.ts';
import { createKeyedHashFunction } from '../../../src/shared/crypto/keyed-hash.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createSessionToken } from '../../access/callers.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { freezeRateWindow } from '../../rate-window.ts';
import { t } from '../../tap.ts';

const CONCURRENCY = 6;

const PATH = '/api/notifications/unread-count';

async function insertUsers({ database }: TestApp, count: number) {
  const users = Array.from({ length: count }, () => generateId()).map((id) => ({
    id,
    email: `${id}@example.org`,
    status: 'ACTIVE',
    firstName: 'Ada',
    lastName: 'Lovelace',
    accountType: 'INDIVIDUAL',
  }));
  await database.client.user.createMany({ data: users });
  return users;
}

/** Send reads until one is refused; returns how many were not. */
async function countReads({ call }: TestApp, token: string, remoteAddress: string): Promise<number> {
  for (let count = 0; ; count++)
    if ((await call('GET', PATH, { token, remoteAddress })).status === 429) return count;
}

t.test('300 people behind one address read, write and refresh their tokens without a 429', async (t) => {
  const test = await startTestApp(t, { RATE_LIMIT_SCALE: '1' });
  const { fieldCipher } = test.services;
  const users = await insertUsers(test, 300);
  const sessions = users.map(({ id: userId }) => ({
    id: generateId(),
    userId,
    ip: '192.0.2.1',
    userAgent: '',
    expiresAt: new Date(Date.now() + 3_600_000),
  }));
  await test.database.client.session.createMany({ data: sessions });
  await test.database.client.refreshToken.createMany({
    data: sessions.map(({ id, expiresAt }) => ({
      id: generateId(),
      sessionId: id,
      expiresAt,
      tokenHash: hashRefreshTokenSecret(fieldCipher, id),
    })),
  });
  const statuses = new Map<string, number>();
  const send = async (method: string, url: string, options: object) => {
    const { status } = await test.call(method, url, { ...options, remoteAddress: '203.0.113.7' });
    statuses.set(`${method} ${status}`, (statuses.get(`${method} ${status}`) ?? 0) + 1);
  };
  for (let first = 0; first < sessions.length; first += CONCURRENCY)
    await Promise.all(
      sessions.slice(first, first + CONCURRENCY).map(async ({ id, userId }) => {
        await send('POST', '/api/auth/refresh-token', { body: { refreshToken: id } });
        const token = test.app.signAccessToken({ id: userId, role: 'USER' }, id, 900);
        await send('GET', PATH, { token });
        await send('GET', PATH, { token });
      }),
    );
  t.same(Object.fromEntries(statuses), { 'POST 200': 300, 'GET 200': 600 });
});

t.test('a forged, expired or ended token counts for the address, and not for an account', async (t) => {
  const test = await startTestApp(t, { RATE_LIMIT_SCALE: '0.02' });
  const [victim, other] = await insertUsers(test, 2);
  if (!victim || !other) throw new Error('no users');
  const { sessionId, token } = await createSessionToken(test, victim);
  freezeRateWindow(t);
  const [head = '', payload = ''] = token.split('.');
  t.equal(await countReads(test, `${head}.${payload}.${'A'.repeat(43)}`, '203.0.113.1'), 6, 'forged');
  const expired = test.app.signAccessToken({ id: victim.id, role: 'USER' }, sessionId, -1);
  t.equal(await countReads(test, expired, '203.0.113.1'), 0, 'expired: the same bucket');
  const { token: ended } = await createSessionToken(test, victim, { ended: true });
  t.equal(await countReads(test, ended, '203.0.113.2'), 7, 'ended: one for the account, six for the address');
  t.equal(await countReads(test, token, '203.0.113.1'), 5, 'the account has the rest of its own limit');
  t.equal(await countReads(test, token, '203.0.113.3'), 0, 'at every address');
  const { token: another } = await createSessionToken(test, victim);
  t.equal(await countReads(test, another, '203.0.113.3'), 0, 'in every session');
  t.equal(await countReads(test, (await createSessionToken(test, other)).token, '203.0.113.3'), 6);
});

async function insertApiKeyOf(
  { database, services }: TestApp,
  { id: userId }: { id: string },
  token: string,
  allowedNetworks: string[] = [],
) {
  await database.transaction((tx) =>
    insertApiKey(tx, {
      id: generateId(),
      accountId: userId,
      createdBy: userId,
      role: 'OWNER',
      name: 'ERP',
      tokenPrefix: getShownApiKeyPrefix(token),
      tokenHash: hashApiKeyToken(services.fieldCipher, token),
      scopes: ['notifications:read'],
      allowedNetworks,
      expiresAt: null,
    }),
  );
  return token;
}

t.test('an API key has a limit of its own, also when its address is used up', async (t) => {
  const test = await startTestApp(t, { RATE_LIMIT_SCALE: '0.02' });
  const [owner] = await insertUsers(test, 1);
  if (!owner) throw new Error('no user');
  const generate = () => generateApiKeyToken(test.services.fieldCipher.hash);
  const [token, bound] = [generate(), generate()];
  await insertApiKeyOf(test, owner, token);
  await insertApiKeyOf(test, owner, bound, ['203.0.113.1']);
  freezeRateWindow(t);
  t.equal(await countReads(test, 'guess', '203.0.113.5'), 6);
  t.equal(await countReads(test, token, '203.0.113.5'), 13, 'one of its token, twelve of its own');
  t.equal(await countReads(test, bound, '203.0.113.6'), 7, 'from a wrong network: one, then the address');
  t.equal(await countReads(test, bound, '203.0.113.1'), 13, 'from its network');
  const { token: session } = await createSessionToken(test, owner);
  t.equal(await countReads(test, session, '203.0.113.5'), 6, 'the account is not affected');
});

t.test('a token without a MAC, and one that does not work, count for the address', async (t) => {
  const test = await startTestApp(t, { RATE_LIMIT_SCALE: '0.02' });
  const [owner] = await insertUsers(test, 1);
  if (!owner) throw new Error('no user');
  const generateForged = () => generateApiKeyToken(createKeyedHashFunction('other'));
  const old = await insertApiKeyOf(test, owner, generateForged());
  const revoked = generateApiKeyToken(test.services.fieldCipher.hash);
  freezeRateWindow(t);
  t.equal(await countReads(test, revoked, '203.0.113.5'), 7, 'one, then the address');
  t.equal(await countReads(test, revoked, '203.0.113.5'), 0);
  t.equal(await countReads(test, generateForged(), '203.0.113.5'), 0);
  t.equal(await countReads(test, old, '203.0.113.5'), 0);
  t.equal(await countReads(test, old, '203.0.113.4'), 13, 'one for the address, twelve of its own');
  t.equal(await countReads(test, revoked, '2001:db8:1:2::1'), 7);
  t.equal(
    await countReads(test, revoked, '2001:db8:1:2::2'),
    0,
    'no other one by another address of the network',
  );
});

t.test('a stranger who sends refresh tokens does not keep others of the address from theirs', async (t) => {
  const test = await startTestApp(t, { RATE_LIMIT_SCALE: '0.05' });
  const { fieldCipher } = test.services;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const [ada, grace, linus] = await Promise.all(
    (await insertUsers(test, 3)).map(async ({ id: userId }) => {
      const [sessionId, secret] = [generateId(), generateRefreshTokenSecret()];
      const session = { id: sessionId, userId, ip: '192.0.2.1', userAgent: '', expiresAt };
      await test.database.client.session.create({ data: session });
      const tokenHash = hashRefreshTokenSecret(fieldCipher, secret);
      await test.database.client.refreshToken.create({
        data: { id: generateId(), sessionId, expiresAt, tokenHash },
      });
      return { secret, token: formatRefreshToken(fieldCipher, sessionId, secret) };
    }),
  );
  if (!ada || !grace || !linus) throw new Error('no users');
  const refresh = async (refreshToken: string, remoteAddress = '203.0.113.7') => {
    const body = { refreshToken };
    const answer = await test.call('POST', '/api/auth/refresh-token', { body, remoteAddress });
    return { status: answer.status, token: answer.body.refreshToken };
  };
  const sendMalformed = async () => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', url: '/api/auth/refresh-token', headers, payload: '{' } as const;
    return (await test.app.inject({ ...request, remoteAddress: '203.0.113.7' })).statusCode;
  };
  freezeRateWindow(t);
  t.equal(await sendMalformed(), 400);
  const other = generateRefreshTokenSecret();
  const changed = ada.token.slice(0, -1) + (ada.token.endsWith('A') ? 'E' : 'A');
  const forged = [other, other + ada.token.slice(43), changed, `${ada.token}_`, ''];
  const statuses = [];
  for (let n = 0; n < 30; n++) statuses.push((await refresh(forged[n % forged.length] ?? '')).status);
  t.equal(statuses.filter((status) => status !== 429).length, 29, 'the malformed one is counted');
  t.equal(statuses.at(-1), 429);
  t.equal((await refresh(grace.secret)).status, 429, 'a token without a MAC counts for the address');

  const second = await refresh(ada.token);
  const third = await refresh(second.token);
  t.same([second.status, third.status], [200, 200]);
  t.equal((await refresh(third.token)).status, 429, 'a session has a limit of its own');
  t.equal((await refresh(ada.token, '203.0.113.8')).status, 429, 'by each of its tokens, at every address');
  t.equal((await refresh(linus.token)).status, 200, 'another session of the address');

  const next = await refresh(grace.secret, '203.0.113.8');
  t.equal(next.status, 200, 'a token without a MAC still works');
  t.equal((await refresh(next.token)).status, 200, 'and its successor has one');
});
