import { isAccountPermission } from '../../src/permissions.ts';
import { generateId } from '../../src/shared/ids.ts';
import { createFakeProvider } from '../features/billing/payments/fake-provider.ts';
import { setPackageLimit } from '../features/billing/subscriptions/subscription-helper.ts';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { addCredential, type CallerAccount, createCallerAccounts, createSessionToken } from './callers.ts';
import { createTestResources, PRIVATE_WORDS } from './test-resources.ts';

const ROLES = ['EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const;

/** Written by hand: lists of what is in the folders of a limited member, who has none here; all else is refused. */
const EMPTY_LISTS: Record<string, readonly string[]> = {
  'GET /api/qrcodes': ['data'],
  'GET /api/qrcodes/facets': ['kinds', 'statuses', 'folders', 'metadata'],
  'GET /api/folders': ['data'],
  'GET /api/scans': ['data'],
  'GET /api/conversations': ['data'],
  'GET /api/conversations/assignees': ['data'],
};

/** Written by hand: pages without anything of the account, and what they answer. */
const EMPTY_PAGES: Record<string, number> = { 'GET /app/:accountId': 303, 'GET /app/:accountId/codes': 200 };

const test = await startTestApp(t, {}, { payments: createFakeProvider().provider });
const accounts = await createCallerAccounts(test);
for (const limit of ['qrCodes', 'memoryTags', 'documents'])
  await setPackageLimit(test, 'FREE', { [limit]: 10_000 });
const things = createTestResources(test, accounts.owner);
const { owner } = accounts;
await test.database.pool.query(
  "UPDATE accounts SET type = 'ORGANIZATION', user_id = NULL, name = 'Harbor School' WHERE id = $1",
  [owner.id],
);

const limitedMembers = new Map<string, CallerAccount>();
for (const role of ROLES) {
  const user = { id: generateId(), email: `limited-${role.toLowerCase()}@example.org` };
  const profile = { firstName: 'Bob', lastName: 'Lovelace', accountType: 'INDIVIDUAL', version: 2 };
  await test.database.client.user.create({
    data: { ...user, ...profile, passwordHash: 'none', status: 'ACTIVE' },
  });
  const membership = { accountId: owner.id, userId: user.id, role, limitedToFolders: true };
  await test.database.client.membership.create({ data: membership });
  limitedMembers.set(role, user);
}

const isPage = (operation: string) => / \/app\//.test(operation);

/** Those on records of an account. */
const operations = test.app
  .declaredRoutes()
  .filter(({ access }) => access?.who === 'account' && isAccountPermission(access.permission))
  .map(({ method, url }) => `${method} ${url}`)
  .filter((operation) => operation in ACCESS_MATRIX)
  .filter((operation) => !isPage(operation) || operation.includes('/:accountId'));

async function send(operation: string, role: string) {
  const request =
    (await ACCESS_MATRIX[operation]?.request?.({ test, caller: 'owner', accounts, things })) ?? {};
  const [method = '', path = ''] = operation.split(' ');
  const remaining = [...(request.ids ?? [])];
  const url = path.replace(/:\w+|\*$/g, (name) => {
    const id = remaining.shift();
    return name === ':accountId' ? owner.id : (id ?? generateId());
  });
  const user = limitedMembers.get(role);
  if (!user) throw new Error(role);
  const session = await createSessionToken(test, user);
  const headers = { ...request.headers, ...(isPage(operation) ? {} : { 'account-id': owner.id }) };
  const options = addCredential(test, path, 'owner', session, { headers, body: request.body });
  return test.call(method, request.query ? `${url}?${request.query}` : url, options);
}

t.test('a member who is limited to folders gets nothing that is outside of them', async (t) => {
  let cells = 0;
  for (const operation of operations) {
    const wrong: string[] = [];
    for (const role of ROLES) {
      const { status, body, text } = await send(operation, role);
      cells += 1;
      const words = PRIVATE_WORDS.filter((word) => text.includes(word));
      const lists = EMPTY_LISTS[operation];
      const isEmpty = lists?.every((name) => body[name]?.length === 0) ?? false;
      const isRefused =
        status === 403 || status === 404 || (status === 200 && isEmpty) || status === EMPTY_PAGES[operation];
      // What is created in no folder, or in one of others.
      const isRefusedBody = operation === 'POST /api/qrcodes' && status === 400;
      if (words.length > 0 || !(isRefused || isRefusedBody))
        wrong.push(`${role} ${status}: ${words} ${text.slice(0, 200)}`);
    }
    t.same(wrong, [], operation);
  }
  t.ok(cells >= 800, `${cells} cells`);
});

t.test('operations that know folders are those that a limited member may use', (t) => {
  const known = test.app
    .declaredRoutes()
    .filter(({ access }) => access?.who === 'account' && access.limitedTo === 'FILTERED')
    .map(({ method, url }) => `${method} ${url}`);
  t.same(
    new Set(known),
    new Set([...Object.keys(EMPTY_LISTS), ...Object.keys(EMPTY_PAGES), 'POST /api/qrcodes']),
  );
  t.end();
});
