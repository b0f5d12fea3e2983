import type { Database } from '../../platform/database.ts';
import { runDriverTransaction } from '../../platform/driver-transaction.ts';
import { countSpans } from './count-spans.repository.ts';
import { holdSpansToCount, type Span, type StaleSpan, staleSpans } from './rollup.repository.ts';

interface Options {
  /** Told after each transaction how many spans of codes and owners are counted so far, and which was reached. */
  progress?: ((counted: number, reached: Date) => void) | undefined;
  /** Ends it between two transactions. */
  signal?: AbortSignal | undefined;
  /** Counts what is over at this moment, which may lie ahead: a span that goes on is counted again. Now, if left out. */
  by?: Date | undefined;
  /** Spans of codes and owners in one transaction: whoever stores a scan of these waits as long as it takes. */
  atOnce?: number | undefined;
}

const AT_ONCE = 1_000;

/**
 * Counts again whatever waits and is over: quarters of an hour from the scans, then days from their quarters. A span
 * that somebody stores a scan of at this moment is left for the next time. What was noted and what was counted change
 * in one transaction, so a kill leaves nothing in between. Answers how many spans were counted.
 */
export async function rollUp(
  database: Pick<Database, 'pool'>,
  { progress, signal, by, atOnce = AT_ONCE }: Options = {},
): Promise<number> {
  let counted = 0;
  for (const span of ['QUARTER', 'DAY'] as const) {
    let reached: StaleSpan | null = null;
    while (!signal?.aborted) {
      const waiting: StaleSpan[] = await staleSpans(database.pool, span, reached, atOnce, by);
      reached = waiting.at(-1) ?? null;
      if (!reached) break;
      counted += await countSome(database, span, waiting);
      progress?.(counted, reached.startsAt);
    }
  }
  return counted;
}

function countSome(
  database: Pick<Database, 'pool'>,
  span: Span,
  waiting: readonly StaleSpan[],
): Promise<number> {
  return runDriverTransaction(database, 'WRITE', async (connection) => {
    const held = await holdSpansToCount(connection, span, waiting);
    return held.length > 0 ? countSpans(connection, span, held) : 0;
  });
}
