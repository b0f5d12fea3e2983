import { type AttemptLimit, consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import { ServiceError } from '../../shared/errors.ts';

/** Maximum time of a comparison, its queue included; after it, its process has crashed. */
const MAX_COMPARE_SECONDS = 10;

/** For an owner, who has no limit. */
const MAX_REPORTED_ATTEMPTS = 20;

/** How long a wait stays good for an attempt. */
const WAIT_VALID_SECONDS = 10 * 60;

export interface PinAttemptsLeft {
  /** Minimum over the limits; attempts in flight count as left. */
  left: number;
  /** 0 when an attempt is left. */
  waitSeconds: number;
}

export interface PinRefusal {
  /** One while attempts in flight may be refunded. */
  waitSeconds: number;
  usedUpKeys: readonly string[];
}

/** Null when an attempt of every limit is reserved. */
export async function reservePinAttempts(
  database: Database,
  budgets: readonly AttemptLimit[],
): Promise<PinRefusal | null> {
  try {
    await database.transaction(async (tx) => {
      await consumeAttempts(tx, budgets);
      await executeSql(tx)`
        UPDATE attempt_budgets SET
          in_flight = CASE WHEN in_flight_until > now() THEN in_flight + 1 ELSE 1 END,
          in_flight_until = now() + ${MAX_COMPARE_SECONDS} * interval '1 second'
        WHERE key = ANY(${getKeys(budgets)})`;
    });
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'RATE_LIMITED') throw error;
    return findRefusal(database.client, budgets);
  }
}

export async function refundPinAttempts(db: Db, budgets: readonly AttemptLimit[]): Promise<void> {
  await executeSql(db)`
    WITH locked AS MATERIALIZED (
      SELECT key FROM attempt_budgets WHERE key = ANY(${getKeys(budgets)}) ORDER BY key FOR UPDATE
    )
    UPDATE attempt_budgets AS budget
    SET used = greatest(0, used - 1), in_flight = greatest(0, in_flight - 1)
    FROM locked WHERE budget.key = locked.key`;
}

/** Parallel wrong PINs get different numbers. */
export async function consumePinAttempts(tx: Tx, budgets: readonly AttemptLimit[]): Promise<PinAttemptsLeft> {
  // Ordered as in reservePinAttempts, against deadlocks.
  const rows = await querySql<AttemptBudgetRow>(tx)`
    WITH locked AS MATERIALIZED (
      SELECT key FROM attempt_budgets WHERE key = ANY(${getKeys(budgets)}) ORDER BY key FOR UPDATE
    )
    UPDATE attempt_budgets AS budget
    SET in_flight = greatest(0, in_flight - 1)
    FROM locked WHERE budget.key = locked.key
    RETURNING budget.key, used, CASE WHEN in_flight_until > now() THEN in_flight ELSE 0 END AS "inFlight",
              ceil(extract(epoch FROM window_ends_at - clock_timestamp()))::int AS seconds`;
  const remaining = budgets.map(({ key, allowed }) => {
    const { used = 0, inFlight = 0, seconds = 0 } = rows.find((row) => row.key === key) ?? {};
    // The window may have changed since the reservation.
    return { left: Math.min(allowed, Math.max(0, allowed - used + inFlight)), seconds };
  });
  const exhausted = remaining.filter(({ left }) => left === 0).map(({ seconds }) => seconds);
  return {
    left: Math.min(MAX_REPORTED_ATTEMPTS, ...remaining.map(({ left }) => left)),
    waitSeconds: exhausted.length > 0 ? Math.max(1, ...exhausted) : 0,
  };
}

interface AttemptBudgetRow {
  key: string;
  used: number;
  inFlight: number;
  seconds: number;
}

async function findRefusal(db: Db, budgets: readonly AttemptLimit[]): Promise<PinRefusal> {
  const rows = await querySql<AttemptBudgetRow>(db)`
    SELECT key, used, CASE WHEN in_flight_until > now() THEN in_flight ELSE 0 END AS "inFlight",
           ceil(extract(epoch FROM window_ends_at - clock_timestamp()))::int AS seconds
    FROM attempt_budgets WHERE key = ANY(${getKeys(budgets)})`;
  const usedUp = budgets.flatMap(({ key, allowed }) => {
    const row = rows.find((candidate) => candidate.key === key);
    return row !== undefined && row.used - row.inFlight >= allowed ? [row] : [];
  });
  return {
    waitSeconds: Math.max(1, ...usedUp.map(({ seconds }) => seconds)),
    usedUpKeys: usedUp.map(({ key }) => key),
  };
}

export async function hasAttemptsLeft(db: Db, limits: readonly AttemptLimit[]): Promise<boolean> {
  const rows = await querySql<{ key: string; used: number }>(db)`
    SELECT key, used FROM attempt_budgets WHERE key = ANY(${getKeys(limits)}) AND window_ends_at > now()`;
  return limits.every(({ key, allowed }) => (rows.find((row) => row.key === key)?.used ?? 0) < allowed);
}

/** Begin a wait, or use up one that is over. Returns the seconds left. */
export async function consumeWaitingTime(db: Db, key: string, seconds: number): Promise<number> {
  const used = await executeSql(db)`
    DELETE FROM attempt_budgets
    WHERE key = ${key} AND window_ends_at BETWEEN now() - ${WAIT_VALID_SECONDS} * interval '1 second' AND now()`;
  if (used > 0) return 0;
  const [wait] = await querySql<{ seconds: number }>(db)`
    INSERT INTO attempt_budgets AS wait (key, used, window_ends_at)
    VALUES (${key}, 1, now() + ${seconds} * interval '1 second')
    ON CONFLICT (key) DO UPDATE SET
      window_ends_at = CASE WHEN wait.window_ends_at <= now() THEN excluded.window_ends_at ELSE wait.window_ends_at END
    RETURNING ceil(extract(epoch FROM window_ends_at - now()))::int AS seconds`;
  // Stored times are rounded to milliseconds.
  return Math.min(seconds, Math.max(1, wait?.seconds ?? seconds));
}

function getKeys(budgets: readonly AttemptLimit[]): string[] {
  return budgets.map(({ key }) => key);
}
