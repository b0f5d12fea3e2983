import { addScanPartitions } from '../../src/features/scans/scan-partitions.repository.ts';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import type { Services } from '../../src/services.ts';
import { DAY_MS } from '../../src/shared/durations.ts';
import { type DataSize, getDataSize } from './data-size.ts';
import { generateScans } from './generate-scans.ts';
import { type GeneratedUsers, type GenerationContext, generateUsers } from './generate-users.ts';
import { splitIntoBatches, storeScans } from './store-scans.ts';

export const HISTORY_DAYS = 3 * 365;

export interface GeneratedData extends GeneratedUsers {
  size: DataSize;
  email: string;
  password: string;
}

interface DataOptions {
  scans: number;
  email: string;
  password: string;
  onProgress: (name: string, done: number, total: number) => void;
  signal: AbortSignal;
}

/** Generate users with scans over three years by COPY; an abort leaves complete batches. @throws AbortError */
export async function generateData(services: Services, options: DataOptions): Promise<GeneratedData> {
  const { database, fieldCipher } = services;
  const size = getDataSize(options.scans);
  const now = new Date();
  const from = new Date(now.getTime() - HISTORY_DAYS * DAY_MS);
  await addScanPartitions(database.client, from, now);
  const connection = await database.pool.connect();
  try {
    await connection.query('SET statement_timeout = 0');
    const context: GenerationContext = { ...options, connection, services, size, from };
    const users = await generateUsers(context, options);
    options.signal.throwIfAborted();
    const total = size.scans + size.others;
    let stored = 0;
    const scans = generateScans(fieldCipher, users, size, [new Date(from.getTime() + DAY_MS), now]);
    let pendingBatch: Promise<void> = Promise.resolve();
    for await (const portion of splitIntoBatches(scans)) {
      await pendingBatch;
      options.signal.throwIfAborted();
      pendingBatch = storeScans(connection, portion).then(() => {
        stored += portion.length;
        options.onProgress('scans', stored, total);
      });
      // Avoid an unhandled rejection; it is awaited with the next batch.
      pendingBatch.catch(() => {});
    }
    await pendingBatch;
    return { ...users, size, email: options.email, password: options.password };
  } finally {
    // Destroy the connection: its session settings differ from those of the pool.
    connection.release(true);
  }
}

const COUNT_DUE_BUCKETS_SQL = `
  SELECT count(*) AS waiting FROM scan_dirty_buckets
  WHERE starts_at <= now() - CASE bucket_size WHEN 'DAY' THEN interval '1 day' ELSE interval '15 minutes' END`;

export async function rollUpData(
  { database }: Pick<Services, 'database'>,
  { onProgress, signal }: Pick<DataOptions, 'onProgress' | 'signal'>,
): Promise<{ buckets: number; seconds: number }> {
  const waiting = async () => Number((await database.pool.query(COUNT_DUE_BUCKETS_SQL)).rows[0]?.waiting);
  const total = await waiting();
  const startedAt = performance.now();
  // A running service rolls up too; buckets that it has locked are skipped here.
  for (let remaining = total; remaining > 0; remaining = await waiting()) {
    await rollUpScanCounts(database, {
      progress: (rolledUp) => onProgress('roll-ups', total - remaining + rolledUp, total),
      signal: signal,
    });
    signal.throwIfAborted();
  }
  return { buckets: total, seconds: (performance.now() - startedAt) / 1000 };
}
