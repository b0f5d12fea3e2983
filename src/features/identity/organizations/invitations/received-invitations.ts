import type { Db } from '../../../../platform/database.ts';
import type { FieldCipher } from '../../../../platform/field-cipher.ts';
import { getInvitationStatus } from './invitation.rules.ts';
import { hashInvitedEmail } from './invitation-secrets.ts';
import { listReceivedInvitations, type ReceivedInvitationRow } from './received-invitation.repository.ts';

/** List the invitations that the user of an address can accept, newest first. */
export async function listOwnInvitations(
  { fieldCipher }: { fieldCipher: FieldCipher },
  db: Db,
  email: string,
): Promise<ReceivedInvitationRow[]> {
  const rows = await listReceivedInvitations(db, hashInvitedEmail(fieldCipher, email));
  const now = new Date();
  return rows.filter((row) => getInvitationStatus(row, now) === 'PENDING');
}
