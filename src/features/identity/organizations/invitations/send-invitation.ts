import type { Tx } from '../../../../platform/database.ts';
import { LIFETIMES_SECONDS } from '../../../../shared/lifetimes.ts';
import type { AccountServices } from '../../accounts/account-services.ts';
import { findUser } from '../../accounts/user.repository.ts';
import type { OrganizationRow } from '../organization.repository.ts';
import { formatForeignName } from './invitation.rules.ts';
import { generateInvitationToken, hashInvitationToken } from './invitation-secrets.ts';

/** A new link of an invitation, and when it expires. */
export interface InvitationLink {
  token: string;
  tokenHash: Buffer<ArrayBuffer>;
  expiresAt: Date;
}

export function createInvitationLink(): InvitationLink {
  const token = generateInvitationToken();
  const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.invitation * 1000);
  return { token, tokenHash: hashInvitationToken(token), expiresAt };
}

/**
 * Enqueue the email of an invitation. It is the same for every address, in the language of the organization, so that it does
 * not tell who has an account.
 */
export async function sendInvitation(
  { mailOutbox, applicationUrl }: Pick<AccountServices, 'mailOutbox' | 'applicationUrl'>,
  tx: Tx,
  organization: Pick<OrganizationRow, 'name' | 'language' | 'timeZone'>,
  { email, inviterId, link }: { email: string; inviterId: string; link: InvitationLink },
): Promise<void> {
  const { language, timeZone } = organization;
  const inviter = await findUser(tx, inviterId);
  const name = [inviter?.firstName, inviter?.lastName].filter(Boolean).join(' ');
  await mailOutbox.enqueue(tx, {
    template: 'ORGANIZATION_INVITATION',
    to: email,
    language,
    timeZone,
    values: {
      organization: formatForeignName(organization.name),
      inviter: formatForeignName(name),
      expiresAt: link.expiresAt,
      link: applicationUrl && `${applicationUrl}/invitations/${link.token}`,
    },
  });
}
