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
  await database.pool.query("INSERT INTO accounts (id, type, name) VALUES ($1, 'ORGANIZATION', $2)", [
    id,
    name,
  ]);
  await insertAuditActor(database.client, id);
  for (const { userId, role } of members)
    await database.pool.query('INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)', [
      id,
      userId,
      role,
    ]);
  return id;
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
