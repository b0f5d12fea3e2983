import { insertApiKey } from '../../src/features/identity/api-keys/api-key.repository.ts';
import { API_KEY_SCOPES, type ApiKeyScope } from '../../src/permissions.ts';
import { hashApiKeyToken } from '../../src/platform/request-credential.ts';
import { generateApiKeyToken } from '../../src/shared/api-key-token.ts';
import { generateId } from '../../src/shared/ids.ts';
import { startTestApp } from '../helper.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';
import { createCallerAccounts } from './callers.ts';

/** Resources of scopes by permission. No key may call operations of other permissions. */
const RESOURCES: Readonly<Record<string, string>> = {
  'account:use': 'account',
  'conversations:own': 'conversations',
  'dashboard:own': 'dashboard',
  'documents:own': 'documents',
  'memory-tags:own': 'memory-tags',
  'notifications:own': 'notifications',
  'qrcodes:own': 'qr-codes',
  'scans:own': 'scans',
  'subscription:own': 'subscription',
  'webhooks:own': 'webhooks',
};
const READ_ONLY_RESOURCES = ['account', 'dashboard', 'subscription'];

const test = await startTestApp(t);
const { owner, admin } = await createCallerAccounts(test);
const document = await getOpenApiDocument(test.call);
const permissions = new Map(
  test.app
    .declaredRoutes()
    .map(({ method, url, access }) => [
      `${method} ${url.replace(/(?<=.)\/$/, '').replaceAll(/:(\w+)/g, '{$1}')}`,
      access && 'permission' in access ? access.permission : undefined,
    ]),
);

async function createToken(userId: string, scopes: readonly ApiKeyScope[]): Promise<string> {
  const { database, services } = test;
  const token = generateApiKeyToken(services.fieldCipher.hash);
  await database.transaction((tx) =>
    insertApiKey(tx, {
      id: generateId(),
      accountId: userId,
      createdBy: userId,
      role: 'OWNER',
      name: 'Program',
      scopes,
      allowedNetworks: [],
      expiresAt: null,
      tokenPrefix: token.slice(0, 14),
      tokenHash: hashApiKeyToken(services.fieldCipher, token),
    }),
  );
  return token;
}

function findExpectedScope(method: string, permission: string): string | null {
  const resource = RESOURCES[permission];
  if (resource === undefined) return null;
  if (method === 'GET') return `${resource}:read`;
  return READ_ONLY_RESOURCES.includes(resource) ? null : `${resource}:write`;
}

t.test('every operation takes the keys that have its scope, and no others', async (t) => {
  const tokens = new Map<ApiKeyScope, string>();
  for (const scope of API_KEY_SCOPES) tokens.set(scope, await createToken(owner.id, [scope]));
  const adminToken = await createToken(admin.id, API_KEY_SCOPES);
  const allowedOperations = new Map<string, number>();
  let tries = 0;
  for (const [path, methods] of Object.entries<Record<string, { security: Record<string, string[]>[] }>>(
    document.paths,
  )) {
    for (const [name, { security }] of Object.entries(methods)) {
      const method = name.toUpperCase();
      const operation = `${method} ${path}`;
      const permission = permissions.get(operation);
      const documented = security.flatMap(({ apiKey = [] }) => apiKey);
      if (permission === undefined) {
        t.same(documented, [], `${operation} takes no credential`);
        continue;
      }
      const expected = findExpectedScope(method, permission);
      t.same(documented, expected === null ? [] : [expected], `${operation} in the document`);
      const call = async (token: string) => {
        const { status, body } = await test.call(method, path.replaceAll(/\{\w+\}/g, generateId()), {
          token,
        });
        tries += 1;
        return { status, code: body?.code, detail: body?.detail };
      };
      const answers = [...tokens].map(async ([scope, token]) => [scope, await call(token)] as const);
      for (const [scope, { status, code, detail }] of await Promise.all(answers)) {
        const message = `${operation} with ${scope}`;
        if (expected === null)
          t.same({ status, code }, { status: 403, code: 'API_KEY_NOT_ALLOWED' }, message);
        else if (scope !== expected) {
          t.same({ status, code }, { status: 403, code: 'SCOPE_REQUIRED' }, message);
          t.ok(detail.includes(expected), message);
        } else {
          t.ok(status !== 401 && status !== 403, `${message}: ${status} ${code}`);
          allowedOperations.set(scope, (allowedOperations.get(scope) ?? 0) + 1);
        }
      }
      if (expected === null) t.equal((await call(adminToken)).code, 'API_KEY_NOT_ALLOWED', operation);
    }
  }
  t.ok(tries > 1_500, `${tries} tries`);
  t.same([...allowedOperations.keys()].toSorted(), API_KEY_SCOPES.toSorted(), 'every scope opens something');
});
