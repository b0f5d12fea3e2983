import type { Tx } from '../../../platform/database.ts';
import { invalidatePasswordResets } from './password-reset.repository.ts';
import { endSessions, type SessionEndReason } from './session.repository.ts';
import { incrementAccessEpoch } from './user.repository.ts';

/**
 * Takes from a person all by which their account is open or could be opened without them: ends their sessions, but
 * for one where given, voids links for a new password, and the tokens of devices. Locks the person first, so that a
 * log-in under way is either found here or finds what has changed. Answers the new epoch of their access.
 */
export async function revokeAccess(
  tx: Tx,
  userId: string,
  endReason: SessionEndReason,
  exceptSession?: string,
): Promise<number> {
  const accessEpoch = await incrementAccessEpoch(tx, userId);
  await endSessions(tx, userId, endReason, exceptSession);
  await invalidatePasswordResets(tx, userId);
  return accessEpoch;
}
