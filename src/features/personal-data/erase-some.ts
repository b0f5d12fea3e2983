import type { Tx } from '../../platform/database.ts';
import { markOwnerFilesRemoved } from '../files/stored-file.repository.ts';
import {
  deleteAnswers,
  deleteExports,
  deleteOrigins,
  deleteRows,
  deleteStream,
  emptyQrCodes,
  emptyScans,
  forgetReader,
  forgetScanner,
  hasUnemptiedCodes,
} from './erase-rows.repository.ts';
import type { ErasureRow } from './erasure.repository.ts';

/**
 * Erases up to `limit` rows of each kind of what belongs to an erased account. True once nothing remains; until then
 * call it again. `first`: as part of the transaction that erases the account, which waits for no scan.
 */
export async function eraseSome(
  tx: Tx,
  erasure: ErasureRow,
  { limit, first }: { limit: number; first: boolean },
): Promise<boolean> {
  const { userId, auditReference } = erasure;
  const counts = [
    await deleteRows(tx, 'push_devices', userId, limit),
    await deleteRows(tx, 'sessions', userId, limit),
    await deleteRows(tx, 'pending_registrations', userId, limit),
    await deleteRows(tx, 'password_resets', userId, limit),
    await deleteRows(tx, 'user_identities', userId, limit),
    await deleteRows(tx, 'second_factors', userId, limit),
    await deleteRows(tx, 'guest_book_entries', userId, limit),
    await deleteRows(tx, 'memory_tag_caretakers', userId, limit),
    ...(await eraseMemoryTags(tx, userId, limit)),
    await deleteRows(tx, 'documents', userId, limit),
    await forgetReader(tx, userId, limit),
    // After everything that names files.
    await markOwnerFilesRemoved(tx, userId, limit),
    await deleteRows(tx, 'conversations', userId, limit),
    await deleteRows(tx, 'blocked_finders', userId, limit),
    await deleteRows(tx, 'notifications', userId, limit),
    await deleteStream(tx, userId, limit),
    await deleteRows(tx, 'notification_settings', userId, limit),
    await deleteAnswers(tx, userId, limit),
    await forgetScanner(tx, userId, limit),
  ];
  await deleteExports(tx, erasure);
  // Scans and their trails come last, once no code is left that one could still be stored of, and are begun only then.
  if (erasure.scansTo === null && (await codesRemain(tx, erasure, limit, first))) return false;
  counts.push(await deleteRows(tx, 'scan_locations', userId, limit));
  if ((await emptyScans(tx, erasure, limit)) >= limit) return false;
  counts.push(await deleteOrigins(tx, auditReference, limit));
  return counts.every((count) => count < limit);
}

/** Memory tags go once their pictures have: each would take up to a hundred of them along, with every size of each. */
async function eraseMemoryTags(tx: Tx, userId: string, limit: number): Promise<number[]> {
  const pictures = await deleteRows(tx, 'memory_tag_pictures', userId, limit);
  return pictures < limit ? [pictures, await deleteRows(tx, 'memory_tags', userId, limit)] : [pictures];
}

async function codesRemain(
  tx: Tx,
  erasure: ErasureRow,
  limit: number,
  skipLocked: boolean,
): Promise<boolean> {
  const count = await emptyQrCodes(tx, erasure, limit, skipLocked);
  return count >= limit || (skipLocked && (await hasUnemptiedCodes(tx, erasure.userId)));
}
