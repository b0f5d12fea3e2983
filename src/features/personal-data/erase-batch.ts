import { deleteUserAuditOrigins } from '../../platform/audit-trail.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { ErasureBatchOptions, ErasureRow } from '../../platform/personal-data.ts';
import { ERASURE_STEPS, PERSONAL_TABLES } from './registry.ts';

/** Rows of each table that are erased with the account; nobody can access the rest until a job erases it. */
export const ERASURE_BATCH_ROWS = 1_000;

/**
 * Erase up to `limit` rows of each table of an erased account; true once none remain. Addresses in the audit trail are
 * erased last.
 */
export async function eraseAccountBatch(
  tx: Tx,
  erasure: ErasureRow,
  batch: ErasureBatchOptions,
): Promise<boolean> {
  let isFinished = true;
  for (const { table, kind, isBarrier } of ERASURE_STEPS) {
    const erase = PERSONAL_TABLES[table][kind];
    if (!erase) throw new Error(`The table ${table} does not declare ${kind}.`);
    const isStepFinished = await erase(tx, erasure, batch);
    if (!isStepFinished && isBarrier) return false;
    isFinished &&= isStepFinished;
  }
  return (await deleteUserAuditOrigins(tx, erasure, batch)) && isFinished;
}

/** Split rows into batches of up to `maxBytes`, in order; a larger row is a batch alone. */
export function splitIntoBatchesByBytes<Row extends { bytes: number }>(
  rows: readonly Row[],
  maxBytes: number,
): Row[][] {
  const batches: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const last = batches.at(-1);
    if (last && bytes + row.bytes <= maxBytes) {
      last.push(row);
      bytes += row.bytes;
    } else {
      batches.push([row]);
      bytes = row.bytes;
    }
  }
  return batches;
}
