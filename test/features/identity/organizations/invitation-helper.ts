import type { AccountRole } from '../../../../src/shared/account-roles.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { createSessionToken } from '../../../access/callers.ts';
import type { TestApp } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { listMailsTo } from '../accounts/helper.ts';

export interface Invitee {
  id: string;
  email: string;
  token: string;
}

/** Create a user with a profile, who is signed in; without an email, which the mail quota of the network counts. */
export async function createInvitee(test: TestApp, email = `${generateId()}@example.org`): Promise<Invitee> {
  const id = generateId();
  const names = { firstName: 'Grace', lastName: 'Hopper', accountType: 'INDIVIDUAL' };
  await test.database.client.user.create({ data: { id, email, status: 'ACTIVE', ...names } });
  return { id, email, token: (await createSessionToken(test, { id, email })).token };
}

/** Create an organization with a member of each of some roles. */
export async function createOrganizationWith<Role extends AccountRole>(
  test: TestApp,
  roles: readonly Role[],
  name = 'Harbor School',
): Promise<{ id: string; path: string; members: Record<Role, Invitee> }> {
  const members = {} as Record<Role, Invitee>;
  for (const role of roles) members[role] = await createInvitee(test);
  const id = await insertOrganization(test, {
    name,
    members: roles.map((role) => ({ userId: members[role].id, role })),
  });
  return { id, path: `/api/organizations/${id}/invitations`, members };
}

/** Read the token in the link of the newest invitation to an address. */
export async function findInvitationToken(test: TestApp, email: string): Promise<string> {
  const mail = await test.getMailBySubject(email, /invites you/);
  return /\/invitations\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}

export async function listInvitationMails(test: TestApp, email: string) {
  return (await listMailsTo(test, email)).filter(({ subject }) => subject.includes('invites you'));
}
