import type { Tx } from '../../platform/database.ts';
import { voidPasswordResets } from './password-reset.repository.ts';
import { type EndReason, endSessions } from './session.repository.ts';
import { moveAccessEpoch } from './user.repository.ts';

/**
 * Takes from a person all by which their account is open or could be opened without them: ends their sessions, but
 * for one where given, voids links for a new password, and the tokens of devices. Locks the person first, so that a
 * log-in under way is either found here or finds what has changed. Answers the new epoch of their access.
 */
export async function revokeAccess(
  tx: Tx,
  userId: string,
  endReason: EndReason,
  exceptSession?: string,
): Promise<number> {
  const accessEpoch = await moveAccessEpoch(tx, userId);
  await endSessions(tx, userId, endReason, exceptSession);
  await voidPasswordResets(tx, userId);
  return accessEpoch;
}
