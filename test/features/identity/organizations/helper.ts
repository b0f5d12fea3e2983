import type { AccountRole } from '../../../../src/shared/account-roles.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { createSessionToken } from '../../../access/callers.ts';
import type { TestApp } from '../../../helper.ts';
import { insertMembership, insertOrganization } from '../../../insert-organization.ts';

export interface TestMember {
  id: string;
  email: string;
  token: string;
}

/** Insert a user with a profile and a session. */
export async function createUser(test: TestApp): Promise<TestMember> {
  const [id, email] = [generateId(), `${generateId()}@example.org`];
  const names = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await test.database.client.user.create({ data: { id, email, status: 'ACTIVE', ...names } });
  return { id, email, token: (await createSessionToken(test, { id, email })).token };
}

/** Insert an organization with a member of each role. */
export async function createOrganizationOf<Role extends AccountRole>(
  test: TestApp,
  ...roles: readonly Role[]
): Promise<{ id: string; path: string; members: Record<Role, TestMember> }> {
  const users = await Promise.all(roles.map(() => createUser(test)));
  const id = await insertOrganization(test, {
    members: roles.flatMap((role, index) => {
      const user = users[index];
      return user ? [{ userId: user.id, role }] : [];
    }),
  });
  const members = Object.fromEntries(roles.map((role, index) => [role, users[index]]));
  return { id, path: `/api/organizations/${id}`, members: members as Record<Role, TestMember> };
}

/** Insert another member. */
export async function addMember(test: TestApp, accountId: string, role: AccountRole): Promise<TestMember> {
  const user = await createUser(test);
  await insertMembership(test, accountId, { userId: user.id, role });
  return user;
}

/** Make the sessions of a user so old that what needs a recent login is refused. */
export async function ageSessions({ database }: TestApp, { id: userId }: TestMember): Promise<void> {
  const createdAt = new Date(Date.now() - 3_600_000);
  await database.client.session.updateMany({ where: { userId }, data: { createdAt } });
}
