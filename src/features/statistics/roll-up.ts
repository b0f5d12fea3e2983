import type { Database } from '../../platform/database.ts';
import { driverTransaction } from '../../platform/driver-transaction.ts';
import { firstIdAt } from '../../shared/ids.ts';
import { countSpan, holdSpan, nextStaleSpan, type Span } from './rollup.repository.ts';

interface Options {
  /** Told after each transaction how many spans of codes and owners are counted so far, and which was reached. */
  progress?: ((counted: number, reached: Date) => void) | undefined;
  /** Ends it between two transactions. */
  signal?: AbortSignal | undefined;
  /** Counts what is over at this moment, which may lie ahead: a span that goes on is counted again. Now, if left out. */
  by?: Date | undefined;
}

const LENGTH_MS: Record<Span, number> = { QUARTER: 15 * 60_000, DAY: 24 * 60 * 60_000 };

/**
 * Counts again whatever waits and is over: quarters of an hour from the scans, then days from their quarters. A span
 * that somebody stores a scan of at this moment is left for the next time. What was noted and what was counted change
 * in one transaction, so a kill leaves nothing in between. Answers how many spans were counted.
 */
export async function rollUp(database: Pick<Database, 'pool'>, options: Options = {}): Promise<number> {
  let counted = 0;
  for (const span of ['QUARTER', 'DAY'] as const) {
    let startsAt = await nextStaleSpan(database.pool, span, null, options.by);
    while (startsAt && !options.signal?.aborted) {
      const now = await countSome(database, span, startsAt);
      counted += now;
      options.progress?.(counted, startsAt);
      if (now === 0) startsAt = await nextStaleSpan(database.pool, span, startsAt, options.by);
    }
  }
  return counted;
}

function countSome(database: Pick<Database, 'pool'>, span: Span, startsAt: Date): Promise<number> {
  const end = new Date(startsAt.getTime() + LENGTH_MS[span]);
  const ids = { first: firstIdAt(startsAt), beyond: firstIdAt(end) };
  return driverTransaction(database, 'WRITE', async (connection) =>
    (await holdSpan(connection, span, startsAt)) ? countSpan(connection, span, startsAt, ids) : 0,
  );
}
