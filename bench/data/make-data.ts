import { addScanPartitions } from '../../src/features/scans/scan-partitions.repository.ts';
import { rollUpScanCounts } from '../../src/features/statistics/roll-up.ts';
import type { Services } from '../../src/services.ts';
import { type DataSize, sizeOf } from './data-size.ts';
import { type MadePeople, type Making, makePeople } from './made-people.ts';
import { makeScans } from './made-scans.ts';
import { portionsOf, storeScans } from './stored-scans.ts';

/** Days over which scans are scattered. */
export const DAYS = 3 * 365;

const DAY = 86_400_000;

/** What was made. */
export interface MadeData extends MadePeople {
  size: DataSize;
  email: string;
  password: string;
}

interface Options {
  scans: number;
  email: string;
  password: string;
  progress: (name: string, done: number, total: number) => void;
  stopping: AbortSignal;
}

/**
 * Makes an organization with so many scans over three years and other people with a twentieth of it (`sizeOf`), by COPY,
 * all as the service would have stored it. An end in between leaves whole portions. Throws AbortError then.
 */
export async function makeData(services: Services, options: Options): Promise<MadeData> {
  const { database, fieldCipher } = services;
  const size = sizeOf(options.scans);
  const now = new Date();
  const from = new Date(now.getTime() - DAYS * DAY);
  await addScanPartitions(database.client, from, now);
  const connection = await database.pool.connect();
  try {
    await connection.query('SET statement_timeout = 0');
    const making: Making = { ...options, connection, services, size, from };
    const made = await makePeople(making, options);
    options.stopping.throwIfAborted();
    const total = size.scans + size.others;
    let stored = 0;
    const scans = makeScans(fieldCipher, made, size, [new Date(from.getTime() + DAY), now]);
    let storing: Promise<void> = Promise.resolve();
    for await (const portion of portionsOf(scans)) {
      await storing;
      options.stopping.throwIfAborted();
      storing = storeScans(connection, portion).then(() => {
        stored += portion.length;
        options.progress('scans', stored, total);
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
const WAITING = `
  SELECT count(*) AS waiting FROM scan_dirty_buckets
  WHERE starts_at <= now() - CASE bucket_size WHEN 'DAY' THEN interval '1 day' ELSE interval '15 minutes' END`;

/** Rolls up all that waits. Answers how many spans of codes and owners that were, and the seconds it took. */
export async function foldData(
  { database }: Pick<Services, 'database'>,
  { progress, stopping }: Pick<Options, 'progress' | 'stopping'>,
): Promise<{ spans: number; seconds: number }> {
  const waiting = async () => Number((await database.pool.query(WAITING)).rows[0]?.waiting);
  const total = await waiting();
  const begun = performance.now();
  // A running service counts too; what it has in hand is left out here.
  for (let left = total; left > 0; left = await waiting()) {
    await rollUpScanCounts(database, {
      progress: (counted) => progress('roll-ups', total - left + counted, total),
      signal: stopping,
    });
    stopping.throwIfAborted();
  }
  return { spans: total, seconds: (performance.now() - begun) / 1000 };
}
