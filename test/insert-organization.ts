import { createQrCode } from '../src/features/codes/create-qrcode.use-case.ts';
import { insertAuditActor } from '../src/platform/audit.repository.ts';
import type { AccountRole } from '../src/shared/account-roles.ts';
import { generateId } from '../src/shared/ids.ts';
import type { TestApp } from './helper.ts';

export interface OrganizationMember {
  userId: string;
  role: AccountRole;
}

/** Insert an organization with its members. Returns its id. */
export async function insertOrganization(
  { database }: Pick<TestApp, 'database'>,
  { name = 'Harbor School', members = [] }: { name?: string; members?: readonly OrganizationMember[] } = {},
): Promise<string> {
  const id = generateId();
  const owners = members.filter(({ role }) => role === 'OWNER').length;
  await database.pool.query(
    "INSERT INTO accounts (id, type, name, owner_count) VALUES ($1, 'ORGANIZATION', $2, $3)",
    [id, name, Math.max(owners, 1)],
  );
  await insertAuditActor(database.client, id);
  for (const { userId, role } of members)
    await database.pool.query('INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)', [
      id,
      userId,
      role,
    ]);
  return id;
}

/** Insert another member of an organization. */
export async function insertMembership(
  { database }: Pick<TestApp, 'database'>,
  accountId: string,
  { userId, role }: OrganizationMember,
): Promise<void> {
  await database.pool.query(
    `WITH inserted AS (INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3))
     UPDATE accounts SET owner_count = owner_count + ($3 = 'OWNER')::int WHERE id = $1`,
    [accountId, userId, role],
  );
}

/** Create a code of an account, for which a user acts. Returns its id. */
export async function createCodeOfAccount(
  { services }: Pick<TestApp, 'services'>,
  { accountId, userId }: { accountId: string; userId: string },
  body: Partial<Parameters<typeof createQrCode>[3]> = {},
): Promise<string> {
  const context = {
    user: null,
    linkUserId: userId,
    address: '',
    userAgent: '',
    method: 'POST',
    purpose: '',
    isNavigation: false,
    acceptLanguage: undefined,
    requestId: 'test',
    operation: 'test',
    audit: undefined,
    idempotencyKey: undefined,
    target: '',
  };
  const data = { name: 'Rex', species: 'Dog' };
  const created = await createQrCode(services, context, accountId, {
    kind: 'PET',
    title: 'Rex',
    data,
    ...body,
  });
  return created.body.id;
}
