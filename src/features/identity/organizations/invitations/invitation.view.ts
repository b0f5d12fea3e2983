import type { Static } from 'typebox';
import type { FieldCipher } from '../../../../platform/field-cipher.ts';
import type { InvitationRow } from './invitation.repository.ts';
import { getInvitationStatus } from './invitation.rules.ts';
import { INVITATION_EMAIL } from './invitation-secrets.ts';
import type { InvitationSchema, ReceivedInvitationSchema } from './invitations.schemas.ts';
import type { ReceivedInvitationRow } from './received-invitation.repository.ts';

/** Convert an invitation to what owners and managers of the organization get. */
export function toInvitationView(
  fieldCipher: FieldCipher,
  row: InvitationRow,
): Static<typeof InvitationSchema> {
  const { accountId, id, role, sends, invitedBy } = row;
  return {
    id,
    accountId,
    email: INVITATION_EMAIL.decrypt(fieldCipher, row),
    role,
    status: getInvitationStatus(row, new Date()),
    invitedBy,
    sends,
    lastSentAt: row.lastSentAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Convert an invitation to what the invited user gets. */
export function toReceivedInvitationView(
  row: ReceivedInvitationRow,
): Static<typeof ReceivedInvitationSchema> {
  const { id, accountId, organizationName, role, inviterName } = row;
  return {
    id,
    organization: { id: accountId, name: organizationName },
    role,
    invitedBy: inviterName || null,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
