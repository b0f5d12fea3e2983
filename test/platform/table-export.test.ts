import type { FastifyReply } from 'fastify';
import { insertApiKey } from '../../src/features/identity/api-keys/api-key.repository.ts';
import { bearerAuthenticationPlugin } from '../../src/platform/authentication.ts';
import { hashApiKeyToken } from '../../src/platform/request-credential.ts';
import { createTableExportStream, sendTableExport } from '../../src/platform/table-export.ts';
import { generateApiKeyToken, getShownApiKeyPrefix } from '../../src/shared/api-key-token.ts';
import { generateId } from '../../src/shared/ids.ts';
import { startTestApp, TEST_SECRETS } from '../helper.ts';
import { t } from '../tap.ts';
import { createBareApp } from './http/helper.ts';

async function* generateForever() {
  for (;;) yield [JSON.stringify({ id: generateId() })];
}

const open = (userId: string) => createTableExportStream(userId, generateForever(), ['id'], 'csv');

t.test('an account has up to three exports at a time, and others are not affected', async (t) => {
  const { call, database, createUser } = await startTestApp(t);
  const user = await createUser();
  const exportCodes = async () =>
    (await call('GET', '/api/qrcodes/export', { token: user.accessToken })).status;
  const exports = [open(user.id), open(user.id), open(user.id)];
  t.equal(await exportCodes(), 429);
  const recorded = { action: 'QRCODES_EXPORTED' };
  t.equal(await database.client.auditEntry.count({ where: recorded }), 0, 'a refused one is not recorded');
  const other = open(generateId());
  t.equal((await other[Symbol.asyncIterator]().next()).value.toString(), 'id\r\n');
  other.destroy();
  for (const stream of exports) {
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    t.equal(await exportCodes(), 200);
  }
  t.equal(await database.client.auditEntry.count({ where: recorded }), 3);
});

t.test('an export ends when its API key is revoked', async (t) => {
  const { database, services, createUser } = await startTestApp(t);
  const { fieldCipher } = services;
  const { id: userId } = await createUser();
  const [id, token] = [generateId(), generateApiKeyToken(fieldCipher.hash)];
  await database.transaction((tx) =>
    insertApiKey(tx, {
      id,
      accountId: userId,
      name: 'ERP',
      scopes: ['qr-codes:read'],
      allowedNetworks: [],
      expiresAt: null,
      tokenPrefix: getShownApiKeyPrefix(token),
      tokenHash: hashApiKeyToken(fieldCipher, token),
    }),
  );
  const app = await createBareApp(t);
  await app.register(bearerAuthenticationPlugin, {
    database,
    fieldCipher,
    jwtSecret: TEST_SECRETS.JWT_SECRET,
    isEnterpriseEnforced: false,
  });
  app.addHook('onRequest', (request) => request.readCredential());
  app.get('/', (_request, reply) => sendTableExport(reply, open(userId), async () => {}));
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { body } = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  const reader = body?.getReader();
  for (let chunks = 0; chunks < 100; chunks += 1) t.equal((await reader?.read())?.done, false);
  await database.client.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
  const readAll = async () => {
    for (let chunks = 0; chunks < 10_000; chunks += 1) if ((await reader?.read())?.done) return;
  };
  await t.rejects(readAll(), { message: 'terminated' });
});

t.test('an export that cannot be recorded is closed', async (t) => {
  const content = open(generateId());
  const closed = new Promise((resolve) => content.once('close', resolve));
  const record = () => Promise.reject(new Error('no database'));
  await t.rejects(sendTableExport({} as FastifyReply, content, record), { message: 'no database' });
  await closed;
});
