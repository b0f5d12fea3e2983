import type { FastifyReply } from 'fastify';
import type { Test } from 'tap';
import { insertApiKey } from '../../src/features/identity/api-keys/api-key.repository.ts';
import { bearerAuthenticationPlugin } from '../../src/platform/authentication.ts';
import { hashApiKeyToken } from '../../src/platform/request-credential.ts';
import { allowUsers, skipAudit } from '../../src/platform/route-access.ts';
import { createTableExportStream, sendTableExport } from '../../src/platform/table-export.ts';
import { generateApiKeyToken, getShownApiKeyPrefix } from '../../src/shared/api-key-token.ts';
import { generateId } from '../../src/shared/ids.ts';
import { importFile, waitForImport } from '../features/codes/import-helper.ts';
import { startTestApp, TEST_PASSWORD, TEST_SECRETS, type TestApp } from '../helper.ts';
import { insertOrganization } from '../insert-organization.ts';
import { t } from '../tap.ts';
import { createBareApp } from './http/helper.ts';

async function* generateForever() {
  for (;;) yield [JSON.stringify({ id: generateId() })];
}

const open = (userId: string) =>
  createTableExportStream(userId, generateForever(), ['id'], { format: 'csv', bom: false });

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

t.test('every export of CSV begins with a byte order mark if it is asked for', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser({ role: 'ADMIN' });
  const body = { email: user.email, password: TEST_PASSWORD };
  const { accessToken: token } = (await app.call('POST', '/api/auth/login', { body })).body;
  const requested = await importFile(app, user, 'kind,title,data.name\nPET,Rex,\n');
  const { id } = await waitForImport(app, user, requested);
  for (const path of [
    '/api/qrcodes/export',
    '/api/scans/export',
    '/api/admin/audit-logs/export',
    `/api/imports/${id}/errors`,
  ]) {
    const read = async (query: string) => (await app.call('GET', `${path}?${query}`, { token })).text;
    t.match(await read('format=csv&bom=true'), /^\ufeff[a-z]+,/i, path);
    t.match(await read('format=csv'), /^[a-z]+,/i, path);
    t.notMatch(await read('format=jsonl&bom=true'), /\ufeff/, path);
  }
  const exported = await app.call('GET', '/api/qrcodes/export?format=csv&bom=true', { token });
  const imported = await waitForImport(app, user, await importFile(app, user, exported.text));
  t.match(imported, { status: 'COMPLETED', counts: { failed: 0 } }, 'an import accepts it');
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
      createdBy: userId,
      role: 'OWNER',
      name: 'ERP',
      scopes: ['qr-codes:read'],
      allowedNetworks: [],
      expiresAt: null,
      tokenPrefix: getShownApiKeyPrefix(token),
      tokenHash: hashApiKeyToken(fieldCipher, token),
    }),
  );
  const readAll = await startExport(t, { database, services }, userId, { authorization: `Bearer ${token}` });
  await database.client.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
  await t.rejects(readAll(), { message: 'terminated' });
});

t.test('an export of an organization ends when who reads it is removed or demoted', async (t) => {
  const test = await startTestApp(t);
  const owner = await test.createUser();
  const editor = await test.createUser();
  const accountId = await insertOrganization(test, {
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: editor.id, role: 'EDITOR' },
    ],
  });
  const headers = { authorization: `Bearer ${editor.accessToken}`, 'account-id': accountId };
  const member = `/api/organizations/${accountId}/members/${editor.id}`;
  const { accessToken: token } = owner;
  for (const end of [
    () => test.call('PATCH', member, { token, body: { role: 'BILLING' } }),
    () => test.call('DELETE', member, { token }),
  ]) {
    await test.call('PATCH', member, { token, body: { role: 'EDITOR' } });
    const readAll = await startExport(t, test, editor.id, headers);
    t.equal((await end()).status, 200);
    await t.rejects(readAll(), { message: 'terminated' });
  }
});

/** Read the first part of an export without an end; returns a function that reads the rest. */
async function startExport(
  t: Test,
  { database, services: { fieldCipher } }: Pick<TestApp, 'database' | 'services'>,
  userId: string,
  headers: Record<string, string>,
): Promise<() => Promise<void>> {
  const app = await createBareApp(t);
  await app.register(bearerAuthenticationPlugin, {
    database,
    fieldCipher,
    jwtSecret: TEST_SECRETS.JWT_SECRET,
    secure: true,
    isEnterpriseEnforced: false,
    staffMustEnroll: false,
  });
  app.addHook('onRequest', (request) => request.readCredential());
  const config = { access: allowUsers('qrcodes:own'), audit: skipAudit('QRCODE') };
  app.get('/', { config }, (_request, reply) => sendTableExport(reply, open(userId), async () => {}));
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { body } = await fetch(address, { headers });
  const reader = body?.getReader();
  for (let chunks = 0; chunks < 100; chunks += 1) t.equal((await reader?.read())?.done, false);
  return async () => {
    for (let chunks = 0; chunks < 10_000; chunks += 1) if ((await reader?.read())?.done) return;
  };
}

t.test('an export that cannot be recorded is closed', async (t) => {
  const content = open(generateId());
  const closed = new Promise((resolve) => content.once('close', resolve));
  const record = () => Promise.reject(new Error('no database'));
  await t.rejects(sendTableExport({} as FastifyReply, content, record), { message: 'no database' });
  await closed;
});
