import type { Database } from '../../platform/database.ts';
import { runPgTransaction } from '../../platform/driver-transaction.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import {
  findFirstScanTime,
  listQrCodeScanDays,
  lockQrCodeScanDay,
  type QrCodeScanDay,
  readScansByQrCode,
  updateScanClasses,
} from './reclassify.repository.ts';
import { findReclassifiedScans } from './reclassify.rules.ts';

const BATCH_SIZE = 500;

interface ReclassifyOptions {
  from?: Date | undefined;
  progress?: ((done: number, total: number, day: Date) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Reclassify one code and UTC day per transaction; can be interrupted. Returns the day to continue from. */
export async function reclassifyScans(
  database: Pick<Database, 'pool'>,
  { from, progress, signal }: ReclassifyOptions = {},
): Promise<{ changed: number; next: Date | null }> {
  const first = from ?? (await findFirstScanTime(database.pool));
  if (!first) return { changed: 0, next: null };
  const firstDay = Math.floor(first.getTime() / DAY_MS);
  const end = Math.floor(Date.now() / DAY_MS) + 1;
  let changed = 0;
  for (let number = firstDay; number < end; number++) {
    const day = new Date(number * DAY_MS);
    if (signal?.aborted) return { changed, next: day };
    const ids = { first: getMinIdAt(day), end: getMinIdAt(new Date(day.getTime() + DAY_MS)) };
    const codes = (await listQrCodeScanDays(database.pool, ids)).map(({ qrCodeId }) => qrCodeId);
    for (let at = 0; at < codes.length; at += BATCH_SIZE) {
      const batch = codes.slice(at, at + BATCH_SIZE);
      for (const [qrCodeId, scans] of await readScansByQrCode(database.pool, batch, day)) {
        if (findReclassifiedScans(scans, day).length > 0)
          changed += await reclassifyCodeDay(database, { qrCodeId, day });
      }
    }
    progress?.(number - firstDay + 1, end - firstDay, day);
  }
  return { changed, next: null };
}

/** Decides again under lock, since the day may have changed. */
async function reclassifyCodeDay(
  database: Pick<Database, 'pool'>,
  { qrCodeId, day }: QrCodeScanDay,
): Promise<number> {
  return runPgTransaction(database, 'WRITE', async (connection) => {
    await lockQrCodeScanDay(connection, { qrCodeId, day });
    const scans = await readScansByQrCode(connection, [qrCodeId], day);
    const reclassified = findReclassifiedScans(scans.get(qrCodeId) ?? [], day);
    if (reclassified.length > 0) await updateScanClasses(connection, reclassified);
    return reclassified.length;
  });
}
