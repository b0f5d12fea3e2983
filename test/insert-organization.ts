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
  for (const { userId, role } of members)
    await database.pool.query('INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)', [
      id,
      userId,
      role,
    ]);
  return id;
}
