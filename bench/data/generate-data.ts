import { addScanPartitions } from '../../src/features/scans/scan-partitions.repository.ts';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import type { Services } from '../../src/services.ts';
import { type DataSize, getDataSize } from './data-size.ts';
import { generateScans } from './generate-scans.ts';
import { type GeneratedUsers, type GenerationContext, generateUsers } from './generate-users.ts';
import { splitIntoBatches, storeScans } from './store-scans.ts';

/** Days over which scans are scattered. */
export const HISTORY_DAYS = 3 * 365;

const DAY_MS = 86_400_000;

/** What was made. */
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

/**
 * Makes an organization with so many scans over three years and other people with a twentieth of it (`sizeOf`), by COPY,
 * all as the service would have stored it. An end in between leaves whole portions. Throws AbortError then.
 */
export async function generateData(services: Services, options: DataOptions): Promise<GeneratedData> {
  const { database, fieldCipher } = services;
  const size = getDataSize(options.scans);
  const now = new Date();
  const from = new Date(now.getTime() - HISTORY_DAYS * DAY_MS);
  await addScanPartitions(database.client, from, now);
  const connection = await database.pool.connect();
  try {
    await connection.query('SET statement_timeout = 0');
    const making: GenerationContext = { ...options, connection, services, size, from };
    const made = await generateUsers(making, options);
    options.signal.throwIfAborted();
    const total = size.scans + size.others;
    let stored = 0;
    const scans = generateScans(fieldCipher, made, size, [new Date(from.getTime() + DAY_MS), now]);
    let storing: Promise<void> = Promise.resolve();
    for await (const portion of splitIntoBatches(scans)) {
      await storing;
      options.signal.throwIfAborted();
      storing = storeScans(connection, portion).then(() => {
        stored += portion.length;
        options.onProgress('scans', stored, total);
      });
      // It is awaited with the next one.
      storing.catch(() => {});
    }
    await storing;
    return { ...made, size, email: options.email, password: options.password };
  } finally {
    // Its settings are not the pool's.
    connection.release(true);
  }
}

/** Spans that wait to be counted and are over. */
const COUNT_DUE_BUCKETS_SQL = `
  SELECT count(*) AS waiting FROM scan_dirty_buckets
  WHERE starts_at <= now() - CASE bucket_size WHEN 'DAY' THEN interval '1 day' ELSE interval '15 minutes' END`;

/** Rolls up all that waits. Answers how many spans of codes and owners that were, and the seconds it took. */
export async function rollUpData(
  { database }: Pick<Services, 'database'>,
  { onProgress, signal }: Pick<DataOptions, 'onProgress' | 'signal'>,
): Promise<{ buckets: number; seconds: number }> {
  const waiting = async () => Number((await database.pool.query(COUNT_DUE_BUCKETS_SQL)).rows[0]?.waiting);
  const total = await waiting();
  const begun = performance.now();
  // A running service counts too; what it has in hand is left out here.
  for (let left = total; left > 0; left = await waiting()) {
    await rollUpScanCounts(database, {
      progress: (counted) => onProgress('roll-ups', total - left + counted, total),
      signal: signal,
    });
    signal.throwIfAborted();
  }
  return { buckets: total, seconds: (performance.now() - begun) / 1000 };
}
