import { hashRefreshToken } from '../../../src/features/identity/accounts/refresh-token.ts';
import { insertApiKey } from '../../../src/features/identity/api-keys/api-key.repository.ts';
import { hashApiKeyToken } from '../../../src/platform/request-credential.ts';
import { generateApiKeyToken, getShownApiKeyPrefix } from '../../../src/shared/api-key-token.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createSessionToken } from '../../access/callers.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { waitForRateWindow } from '../../wait-for-rate-window.ts';

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
      tokenHash: hashRefreshToken(fieldCipher, id),
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
  await waitForRateWindow(10);
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

t.test(
  'an API key has a limit of its own once it is known, and an unknown one counts for the address',
  async (t) => {
    const test = await startTestApp(t, { RATE_LIMIT_SCALE: '0.02' });
    const [owner] = await insertUsers(test, 1);
    if (!owner) throw new Error('no user');
    const create = async (allowedNetworks: string[]) => {
      const token = generateApiKeyToken();
      await test.database.transaction((tx) =>
        insertApiKey(tx, {
          id: generateId(),
          userId: owner.id,
          name: 'ERP',
          tokenPrefix: getShownApiKeyPrefix(token),
          tokenHash: hashApiKeyToken(test.services.fieldCipher, token),
          scopes: ['notifications:read'],
          allowedNetworks,
          expiresAt: null,
        }),
      );
      return token;
    };
    const [token, bound] = [await create([]), await create(['203.0.113.1'])];
    await waitForRateWindow(10);
    t.equal(await countReads(test, generateApiKeyToken(), '203.0.113.5'), 6, 'unknown');
    t.equal(await countReads(test, bound, '203.0.113.6'), 6, 'from a wrong network');
    t.equal(
      await countReads(test, bound, '203.0.113.1'),
      13,
      'from its network: one for the address, twelve of its own',
    );
    t.equal(await countReads(test, token, '203.0.113.5'), 0, 'not known yet, and the address is used up');
    t.equal(await countReads(test, token, '203.0.113.4'), 13);
    const { token: session } = await createSessionToken(test, owner);
    t.equal(await countReads(test, session, '203.0.113.4'), 6, 'the account is not affected');
  },
);
