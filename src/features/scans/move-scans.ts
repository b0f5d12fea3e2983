import type { Database, Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { moveRows } from '../../platform/move-rows.ts';
import type { DomainEventPayloads } from '../../shared/domain-events.ts';
import { ServiceError } from '../../shared/errors.ts';
import { lockScanBuckets, markScanBucketsDirty } from './dirty-buckets.repository.ts';
import { countScansToMove, deleteScanCounts, deleteScans, listScansToMove } from './move-scans.repository.ts';

export type ScanMove = DomainEventPayloads['code.moved'];

/** Scans in a statement. Each locks up to four buckets, and PostgreSQL has 6,400 locks by default. */
const BATCH_SIZE = 250;

/** Scans that go with the code in its transaction. */
const MAX_SCANS_IN_TRANSACTION = 1_000;

/**
 * Move the scans of a code, or delete them where the history is cut, in the transaction that moves the code. Accounts are
 * counted anew from their scans; the counts of the code stay, or are deleted.
 * @throws HISTORY_TOO_LONG
 */
export async function moveScans(fieldCipher: FieldCipher, tx: Tx, move: ScanMove): Promise<void> {
  const limit = MAX_SCANS_IN_TRANSACTION + 1;
  if ((await countScansToMove(tx, move, limit)) === limit)
    throw new ServiceError('HISTORY_TOO_LONG', { retryAfterSeconds: 60 });
  while ((await moveScanBatch(fieldCipher, tx, move)) === BATCH_SIZE);
  if (move.history === 'CUT') await deleteScanCounts(tx, move.qrCodeId);
}

/**
 * Move or delete scans of a code before it is moved, in transactions of their own, until few enough are left. What a killed
 * call leaves is moved by the next. Scans that have gone are still those of the code for everybody who may see the code.
 */
export async function moveScanHistory(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  move: ScanMove,
  signal?: AbortSignal,
): Promise<void> {
  const isLong = () =>
    database.transaction(async (tx) => (await countScansToMove(tx, move, BATCH_SIZE * 2)) >= BATCH_SIZE * 2);
  while (!signal?.aborted && (await isLong()))
    await database.transaction((tx) => moveScanBatch(fieldCipher, tx, move));
}

/** Returns how many there were. */
async function moveScanBatch(fieldCipher: FieldCipher, tx: Tx, move: ScanMove): Promise<number> {
  const scans = await listScansToMove(tx, move, BATCH_SIZE);
  if (scans.length === 0) return 0;
  const ids = scans.map(({ id }) => id);
  const moved = scans.map((scan) => ({ ...scan, accountId: move.toAccountId }));
  const counted = move.history === 'KEEP' ? [...scans, ...moved] : scans;
  await lockScanBuckets(tx, counted);
  if (move.history === 'KEEP') {
    const condition = { text: 'id = ANY ($2::text[])', values: [ids] };
    await moveRows(tx, fieldCipher, { table: 'scans' }, move, condition);
    const positions = { text: 'scan_id = ANY ($2::text[])', values: [ids] };
    await moveRows(tx, fieldCipher, { table: 'scan_locations' }, move, positions);
  } else await deleteScans(tx, move.fromAccountId, ids);
  await markScanBucketsDirty(tx, counted);
  return scans.length;
}
