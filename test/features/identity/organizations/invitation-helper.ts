import type { AccountRole } from '../../../../src/shared/account-roles.ts';
import type { TestApp } from '../../../helper.ts';
import { listMailsTo } from '../accounts/helper.ts';
import { createOrganizationOf } from './helper.ts';

/** Insert an organization with a member of each role; `path` is that of its invitations. */
export async function createInvitingOrganization<Role extends AccountRole>(
  test: TestApp,
  ...roles: readonly Role[]
) {
  const organization = await createOrganizationOf(test, ...roles);
  return { ...organization, path: `${organization.path}/invitations` };
}

/** Read the token in the link of the newest invitation to an address. */
export async function findInvitationToken(test: TestApp, email: string): Promise<string> {
  const mail = await test.getMailBySubject(email, /invites you/);
  return /\/invitations\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}

export async function listInvitationMails(test: TestApp, email: string) {
  return (await listMailsTo(test, email)).filter(({ subject }) => subject.includes('invites you'));
}
