import type { Tx } from '../../../platform/database.ts';
import { invalidatePasswordResets } from './password-reset.repository.ts';
import { endSessions, type SessionEndReason } from './session.repository.ts';
import { incrementAccessEpoch } from './user.repository.ts';

/**
 * End all sessions of a user except an optional one, invalidate reset tokens and device tokens, and return
 * the new access epoch.
 * Locks the user first, so that a concurrent log-in is either ended here or sees the change.
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
