import type { Tx } from '../../platform/database.ts';
import { markOwnerFilesRemoved } from '../files/index.ts';
import {
  clearReaderUserId,
  clearScannerUserId,
  deleteAuditOrigins,
  deleteExports,
  deleteIdempotencyKeys,
  deletePersonalRows,
  deleteRealtimeStream,
  eraseQrCodes,
  eraseScans,
  hasUnerasedCodes,
} from './erase-rows.repository.ts';
import type { ErasureRow } from './erasure.repository.ts';

/**
 * Erases up to `limit` rows of each kind of what belongs to an erased account. True once nothing remains; until then
 * call it again. `first`: as part of the transaction that erases the account, which waits for no scan.
 */
export async function eraseAccountBatch(
  tx: Tx,
  erasure: ErasureRow,
  { limit, first }: { limit: number; first: boolean },
): Promise<boolean> {
  const { userId, auditReference } = erasure;
  const counts = [
    await deletePersonalRows(tx, 'push_devices', userId, limit),
    await deletePersonalRows(tx, 'sessions', userId, limit),
    await deletePersonalRows(tx, 'pending_registrations', userId, limit),
    await deletePersonalRows(tx, 'password_resets', userId, limit),
    await deletePersonalRows(tx, 'user_identities', userId, limit),
    await deletePersonalRows(tx, 'second_factors', userId, limit),
    await deletePersonalRows(tx, 'guest_book_entries', userId, limit),
    await deletePersonalRows(tx, 'memory_tag_caretakers', userId, limit),
    ...(await eraseMemoryTags(tx, userId, limit)),
    await deletePersonalRows(tx, 'documents', userId, limit),
    await clearReaderUserId(tx, userId, limit),
    // After everything that names files.
    await markOwnerFilesRemoved(tx, userId, limit),
    await deletePersonalRows(tx, 'conversations', userId, limit),
    await deletePersonalRows(tx, 'blocked_finders', userId, limit),
    await deletePersonalRows(tx, 'notifications', userId, limit),
    await deleteRealtimeStream(tx, userId, limit),
    await deletePersonalRows(tx, 'notification_settings', userId, limit),
    await deleteIdempotencyKeys(tx, userId, limit),
    await clearScannerUserId(tx, userId, limit),
  ];
  await deleteExports(tx, erasure);
  // Scans and their trails come last, once no code is left that one could still be stored of, and are begun only then.
  if (erasure.scanCursorAt === null && (await eraseCodes(tx, erasure, limit, first))) return false;
  counts.push(await deletePersonalRows(tx, 'scan_locations', userId, limit));
  if ((await eraseScans(tx, erasure, limit)) >= limit) return false;
  counts.push(await deleteAuditOrigins(tx, auditReference, limit));
  return counts.every((count) => count < limit);
}

/** Memory tags go once their pictures have: each would take up to a hundred of them along, with every size of each. */
async function eraseMemoryTags(tx: Tx, userId: string, limit: number): Promise<number[]> {
  const pictures = await deletePersonalRows(tx, 'memory_tag_pictures', userId, limit);
  return pictures < limit
    ? [pictures, await deletePersonalRows(tx, 'memory_tags', userId, limit)]
    : [pictures];
}

async function eraseCodes(tx: Tx, erasure: ErasureRow, limit: number, skipLocked: boolean): Promise<boolean> {
  const count = await eraseQrCodes(tx, erasure, limit, skipLocked);
  return count >= limit || (skipLocked && (await hasUnerasedCodes(tx, erasure.userId)));
}
