import { PERMISSIONS } from '../../src/permissions.ts';
import type { PermissionDefinition } from '../../src/shared/catalogue.ts';
import { generateId } from '../../src/shared/ids.ts';
import { createFakeProvider } from '../features/billing/payments/fake-provider.ts';
import { setPackageLimit } from '../features/billing/subscriptions/subscription-helper.ts';
import { startTestApp } from '../helper.ts';
import { insertOrganization } from '../insert-organization.ts';
import { t } from '../tap.ts';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { addCredential, type CallerAccount, createCallerAccounts, createSessionToken } from './callers.ts';
import { createTestResources, PRIVATE_WORDS } from './test-resources.ts';

const ROLES = ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const;

type Role = (typeof ROLES)[number];

const EDITORS: readonly Role[] = ['OWNER', 'MANAGER', 'EDITOR'];
const READERS: readonly Role[] = ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER'];

/** Written by hand: who may read, and who may change, what a permission covers. */
const EXPECTED: Record<string, { read: readonly Role[]; write: readonly Role[] }> = {
  'qrcodes:own': { read: READERS, write: EDITORS },
  'memory-tags:own': { read: READERS, write: EDITORS },
  'scans:own': { read: READERS, write: EDITORS },
  'dashboard:own': { read: READERS, write: EDITORS },
  'conversations:own': { read: READERS, write: ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER'] },
  'documents:own': { read: ['OWNER', 'MANAGER', 'EDITOR', 'VIEWER'], write: EDITORS },
  'api-keys:own': { read: EDITORS, write: EDITORS },
  'webhooks:own': { read: ['OWNER', 'MANAGER'], write: ['OWNER', 'MANAGER'] },
  'subscription:own': { read: ['OWNER', 'MANAGER', 'BILLING'], write: ['OWNER', 'BILLING'] },
};

/** Written by hand: changes of what is of the member alone, which every role may make that reads. */
const READER_OPERATIONS: readonly string[] = [
  'POST /api/scans',
  'PUT /api/scans/report-schedule',
  'DELETE /api/scans/report-schedule',
  'POST /app/:accountId/reports/schedule',
  'POST /app/:accountId/reports/schedule/end',
];

/** Written by hand: pages that are one form, or steps to one, which only the roles open that may send it. */
const WRITER_OPERATIONS: readonly string[] = [
  'GET /api/batches/:id/export',
  'GET /app/:accountId/batches/:id/export',
  'GET /app/:accountId/start',
  'GET /app/:accountId/codes/new',
  'GET /app/:accountId/codes/new/:kind',
  'GET /app/:accountId/codes/new/:kind/preview',
  'GET /app/:accountId/codes/selected',
  'GET /app/:accountId/codes/matching',
  'GET /app/:accountId/codes/folders/:id',
  'GET /app/:accountId/codes/:id/documents',
  'GET /app/:accountId/codes/:id/lost',
  'GET /app/:accountId/codes/:id/page',
  'GET /app/:accountId/codes/:id/phone',
  'GET /app/:accountId/codes/:id/phone/updates',
  'GET /app/:accountId/codes/:id/practice',
  'GET /app/:accountId/codes/:id/practice/page',
  'GET /app/:accountId/codes/:id/settings',
  'GET /app/:accountId/documents/new',
  'GET /app/:accountId/documents/:id/versions/new',
  'GET /app/:accountId/imports/:id/check',
  'GET /app/:accountId/imports/:id/columns',
  'GET /app/:accountId/memorials/new',
  'GET /app/:accountId/settings/plan/change',
];

/** Operations of a user with what an organization never has: documents that were granted to an address. */
const OF_USERS: Record<string, number> = {
  'GET /api/documents/received/:grantId/content': 404,
  'DELETE /api/documents/received/:grantId': 404,
  'GET /app/:accountId/documents/received/:grantId/content': 404,
  'POST /app/:accountId/documents/received/:grantId/decline': 404,
};

/** An EDITOR has the keys that they made; a key of another member is taken over before it is rotated. */
const OF_OTHER_MEMBER = { EDITOR: 404 };
const ROTATED = { OWNER: 403, MANAGER: 403, EDITOR: 404 };

/** Written by hand: what a role gets although it has the permission. */
const EXCEPTIONS: Record<string, Partial<Record<Role, number>>> = {
  'GET /api/api-keys/:id': OF_OTHER_MEMBER,
  'POST /api/api-keys/:id/rotate': ROTATED,
  'POST /api/api-keys/:id/take-over': { EDITOR: 403 },
  'DELETE /api/api-keys/:id': OF_OTHER_MEMBER,
  'GET /app/:accountId/developers/keys/:keyId': OF_OTHER_MEMBER,
  'POST /app/:accountId/developers/keys/:keyId/rotate': ROTATED,
  'POST /app/:accountId/developers/keys/:keyId/take-over': { EDITOR: 403 },
  'POST /app/:accountId/developers/keys/:keyId/revoke': OF_OTHER_MEMBER,
  // Of its author; that of the matrix is of another member.
  'PATCH /api/conversations/:id/notes/:noteId': { OWNER: 403, MANAGER: 403, EDITOR: 403, RESPONDER: 403 },
  'DELETE /api/conversations/:id/notes/:noteId': { EDITOR: 403, RESPONDER: 403 },
  'POST /app/:accountId/inbox/:id/notes/:noteId': { OWNER: 403, MANAGER: 403, EDITOR: 403, RESPONDER: 403 },
  'POST /app/:accountId/inbox/:id/notes/:noteId/delete': { EDITOR: 403, RESPONDER: 403 },
  // Rows and symbols can have content of medical codes.
  'GET /api/imports/:id/rejected-rows': { RESPONDER: 403 },
  'GET /api/print-sheets/:id/content': { RESPONDER: 403 },
  'GET /app/:accountId/print/:id/content': { RESPONDER: 403 },
  'GET /app/:accountId/imports/:id': { RESPONDER: 403 },
  'GET /app/:accountId/imports/:id/rejected-rows': { RESPONDER: 403 },
  'GET /app/:accountId/imports/:id/updates': { RESPONDER: 403 },
  // Of each member; that of the matrix is of another one.
  'GET /api/scans/report-schedule': { OWNER: 404, MANAGER: 404, EDITOR: 404, RESPONDER: 404, VIEWER: 404 },
  // An earlier cell made the account a customer.
  'POST /app/:accountId/settings/plan/portal': { OWNER: 200, BILLING: 200 },
};

const test = await startTestApp(t, {}, { payments: createFakeProvider().provider });
const accounts = await createCallerAccounts(test);
for (const limit of ['qrCodes', 'memoryTags', 'documents'])
  await setPackageLimit(test, 'FREE', { [limit]: 10_000 });
const things = createTestResources(test, accounts.owner);
const { owner } = accounts;
/** The account with all records becomes an organization, whose members are others. */
await test.database.pool.query(
  "UPDATE accounts SET type = 'ORGANIZATION', user_id = NULL, name = 'Harbor School' WHERE id = $1",
  [owner.id],
);

const passwordHash = 'none';
const members = new Map<Role, CallerAccount>();
for (const role of ROLES) {
  const user = { id: generateId(), email: `member-${role.toLowerCase()}@example.org` };
  const profile = { firstName: 'Bob', lastName: 'Lovelace', accountType: 'INDIVIDUAL', version: 2 };
  await test.database.client.user.create({ data: { ...user, ...profile, passwordHash, status: 'ACTIVE' } });
  await test.database.client.membership.create({ data: { accountId: owner.id, userId: user.id, role } });
  members.set(role, user);
}
const other = await insertOrganization(test, { members: [{ userId: owner.id, role: 'OWNER' }] });
const former = await insertOrganization(test, {
  members: [...members].map(([role, { id: userId }]) => ({ userId, role })),
});
await test.database.pool.query('DELETE FROM memberships WHERE account_id = $1', [former]);

const isPage = (operation: string) => / \/app\//.test(operation);

const operations = test.app
  .declaredRoutes()
  .map(({ method, url, access }) => ({ operation: `${method} ${url}`, method, access }))
  .flatMap(({ operation, method, access }) => {
    const expected = access?.who === 'account' ? EXPECTED[access.permission] : undefined;
    // One without an account in its address leads on to that of the user.
    const isOfAccount = !isPage(operation) || operation.includes('/:accountId');
    return expected && isOfAccount ? [{ operation, method, expected }] : [];
  });

async function send(
  operation: string,
  role: Role,
  accountId: string,
  request: Awaited<ReturnType<typeof prepare>>,
) {
  const [method = '', path = ''] = operation.split(' ');
  const remaining = [...(request.ids ?? [])];
  const url = path.replace(/:\w+|\*$/g, (name) => {
    const id = remaining.shift();
    return name === ':accountId' ? accountId : (id ?? generateId());
  });
  const user = members.get(role);
  if (!user) throw new Error(role);
  const session = await createSessionToken(test, user);
  const headers = { ...request.headers, ...(isPage(operation) ? {} : { 'account-id': accountId }) };
  const options = addCredential(test, path, 'owner', session, { headers, body: request.body });
  return test.call(method, request.query ? `${url}?${request.query}` : url, options);
}

async function prepare(operation: string) {
  // Each one that is received needs a giver, who registers.
  const caller = operation in OF_USERS ? 'stranger' : 'owner';
  return (await ACCESS_MATRIX[operation]?.request?.({ test, caller, accounts, things })) ?? {};
}

t.test('the roles of every permission to records are expected', (t) => {
  const names = Object.entries<PermissionDefinition>(PERMISSIONS)
    .filter(([, { accountRoles }]) => accountRoles)
    .map(([name]) => name);
  t.same(names.toSorted(), Object.keys(EXPECTED).toSorted());
  t.end();
});

t.test('no role of an account reaches anything of another account, or of a former one', async (t) => {
  let cells = 0;
  for (const { operation } of operations) {
    const wrong: string[] = [];
    for (const role of ROLES)
      for (const [name, accountId] of Object.entries({ other, former })) {
        const body = isPage(operation) && !operation.startsWith('GET') ? '' : undefined;
        const { status, body: answer } = await send(operation, role, accountId, { body });
        const isHidden = status === 404 && (isPage(operation) || answer.code === 'ACCOUNT_NOT_FOUND');
        if (!isHidden) wrong.push(`${role} of ${name}: ${status}`);
        cells += 1;
      }
    t.same(wrong, [], operation);
  }
  t.ok(cells >= 2_000, `${cells} cells`);
});

t.test('the operations whose roles are not those of their method are expected', (t) => {
  const declared = (roles: 'read' | 'write') =>
    test.app
      .declaredRoutes()
      .filter(({ method }) => (method === 'GET') === (roles === 'write'))
      .filter(({ access }) => access?.who === 'account' && access.accountRoles === roles)
      .map(({ method, url }) => `${method} ${url}`);
  t.same(new Set(declared('read')), new Set(READER_OPERATIONS));
  t.same(new Set(declared('write')), new Set(WRITER_OPERATIONS));
  t.end();
});

t.test('each role of an account does what its permissions allow, and nothing else', async (t) => {
  let cells = 0;
  for (const { operation, method, expected } of operations) {
    const wrong: string[] = [];
    // Who is refused changes nothing: one request serves all of them.
    const refused = await prepare(operation);
    for (const role of ROLES) {
      const isRead =
        (method === 'GET' && !WRITER_OPERATIONS.includes(operation)) || READER_OPERATIONS.includes(operation);
      const isAllowed = expected[isRead ? 'read' : 'write'].includes(role);
      const request = isAllowed ? await prepare(operation) : refused;
      const { status, text } = await send(operation, role, owner.id, request);
      const success = OF_USERS[operation] ?? ACCESS_MATRIX[operation]?.rule('owner');
      const refusal = isPage(operation) ? 404 : 403;
      const wanted = isAllowed ? (EXCEPTIONS[operation]?.[role] ?? success) : refusal;
      const words = isAllowed ? [] : PRIVATE_WORDS.filter((word) => text.includes(word));
      if (status !== wanted || words.length > 0)
        wrong.push(`${role} ${status}, expected ${wanted}: ${words} ${text.slice(0, 300)}`);
      cells += 1;
    }
    t.same(wrong, [], operation);
  }
  t.ok(cells >= 1_000, `${cells} cells`);
});
