import { ServiceError } from '../shared/errors.ts';
import type { Db, Tx } from './database.ts';
import { executeSql, querySql } from './sql.ts';

export interface AttemptLimit {
  /** Name of the limit and keyed hash of what it guards. */
  key: string;
  allowed: number;
  windowSeconds: number;
  /** Attempts to consume at once; default 1. */
  count?: number;
}

export interface RemainingAttempts {
  key: string;
  left: number;
}

/**
 * Consume one attempt of every limit before anything is compared, in a transaction: its rollback refunds the others.
 * @throws RATE_LIMITED with the seconds to wait
 */
export async function consumeAttempts(
  tx: Tx,
  budgets: readonly AttemptLimit[],
): Promise<RemainingAttempts[]> {
  const rows = await incrementAttemptBudgets(
    tx,
    budgets.map(({ key, windowSeconds, count = 1 }) => ({ key, windowSeconds, count })),
  );
  const remaining = budgets.map(({ key, allowed }) => {
    const row = rows.find((candidate) => candidate.key === key);
    return { key, left: allowed - (row?.used ?? 0), seconds: row?.seconds ?? 1 };
  });
  const exhausted = remaining.filter((budget) => budget.left < 0);
  if (exhausted.length > 0) {
    const waitSeconds = Math.max(1, ...exhausted.map((budget) => budget.seconds));
    throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: waitSeconds });
  }
  return remaining.map(({ key, left }) => ({ key, left }));
}

interface BudgetIncrement {
  key: string;
  windowSeconds: number;
  count: number;
}

interface BudgetUse {
  key: string;
  used: number;
  seconds: number;
}

/** Increment budgets, each named once; returns the counts within their windows and the seconds left. */
export async function incrementAttemptBudgets(
  tx: Tx,
  increments: readonly BudgetIncrement[],
): Promise<BudgetUse[]> {
  // The clock and not now(), the start of this transaction: it may have waited for a later one.
  return querySql<BudgetUse>(tx)`
    INSERT INTO attempt_budgets AS budget (key, used, window_ends_at)
    SELECT wanted.key, wanted.count, now() + wanted.seconds * interval '1 second'
    FROM unnest(${increments.map(({ key }) => key)}::text[], ${increments.map(({ windowSeconds }) => windowSeconds)}::int[],
                ${increments.map(({ count }) => count)}::int[]) AS wanted (key, seconds, count)
    ORDER BY wanted.key COLLATE "C"
    ON CONFLICT (key) DO UPDATE SET
      used = CASE WHEN budget.window_ends_at <= now() THEN excluded.used ELSE budget.used + excluded.used END,
      window_ends_at = CASE WHEN budget.window_ends_at <= now() THEN excluded.window_ends_at
                            ELSE budget.window_ends_at END
    RETURNING key, used, ceil(extract(epoch FROM window_ends_at - clock_timestamp()))::int AS seconds`;
}

export async function tryConsumeAttempt(tx: Tx, budget: AttemptLimit): Promise<boolean> {
  try {
    await consumeAttempts(tx, [budget]);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RATE_LIMITED') return false;
    throw error;
  }
}

export async function refundAttempts(db: Db, keys: readonly string[], count = 1): Promise<void> {
  await executeSql(db)`
    UPDATE attempt_budgets SET used = greatest(0, used - ${count}::int) WHERE key = ANY(${[...keys]})`;
}

export async function resetAttempts(db: Db, keys: readonly string[]): Promise<void> {
  await executeSql(db)`DELETE FROM attempt_budgets WHERE key = ANY(${[...keys]})`;
}

/** Attempts used in the current window by key; keys without any are absent. */
export async function countAttempts(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await querySql<{ key: string; used: number }>(db)`
    SELECT key, used FROM attempt_budgets WHERE key = ANY(${[...keys]}) AND window_ends_at > now()`;
  return new Map(rows.map(({ key, used }) => [key, used]));
}

export async function deleteExpiredAttemptBudgets(db: Db): Promise<number> {
  return executeSql(db)`DELETE FROM attempt_budgets WHERE window_ends_at < now() - interval '1 day'`;
}
