import type { Tx } from '../../../platform/database.ts';
import { deleteUserSignInCodes } from '../sign-in/sign-in-code.repository.ts';
import { invalidatePasswordResets } from './password-reset.repository.ts';
import { markUserSessionsEnded, type SessionEndReason } from './session.repository.ts';
import { incrementAccessEpoch } from './user.repository.ts';

/** Also invalidate reset tokens, device tokens and sign-in codes; return the new access epoch. Locks out parallel logins. */
export async function revokeUserAccess(
  tx: Tx,
  userId: string,
  endReason: SessionEndReason,
  exceptSession?: string,
): Promise<number> {
  const accessEpoch = await incrementAccessEpoch(tx, userId);
  await markUserSessionsEnded(tx, userId, endReason, exceptSession);
  await invalidatePasswordResets(tx, userId);
  await deleteUserSignInCodes(tx, userId);
  return accessEpoch;
}
