import { type AttemptLimit, consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';

/** Maximum time of a comparison, its queue included; after it, its process has crashed. */
const MAX_COMPARE_SECONDS = 10;

export interface PinAttemptsLeft {
  /** Minimum over the limits; attempts in flight count as left. */
  left: number;
  /** 0 when an attempt is left. */
  waitSeconds: number;
}

/** @throws RATE_LIMITED with the seconds to wait: one while attempts in flight may be refunded */
export async function reservePinAttempts(
  database: Database,
  budgets: readonly AttemptLimit[],
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await consumeAttempts(tx, budgets);
      await tx.$executeRaw`
        UPDATE attempt_budgets SET
          in_flight = CASE WHEN in_flight_until > now() THEN in_flight + 1 ELSE 1 END,
          in_flight_until = now() + ${MAX_COMPARE_SECONDS} * interval '1 second'
        WHERE key = ANY(${getKeys(budgets)})`;
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'RATE_LIMITED') throw error;
    const retryAfterSeconds = await findSecondsUntilFree(database.client, budgets);
    throw new ServiceError('RATE_LIMITED', { retryAfterSeconds });
  }
}

export async function refundPinAttempts(db: Db, budgets: readonly AttemptLimit[]): Promise<void> {
  await db.$executeRaw`
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
  const rows = await tx.$queryRaw<AttemptBudgetRow[]>`
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
    left: Math.min(...remaining.map(({ left }) => left)),
    waitSeconds: exhausted.length > 0 ? Math.max(1, ...exhausted) : 0,
  };
}

interface AttemptBudgetRow {
  key: string;
  used: number;
  inFlight: number;
  seconds: number;
}

async function findSecondsUntilFree(db: Db, budgets: readonly AttemptLimit[]): Promise<number> {
  const rows = await db.$queryRaw<AttemptBudgetRow[]>`
    SELECT key, used, CASE WHEN in_flight_until > now() THEN in_flight ELSE 0 END AS "inFlight",
           ceil(extract(epoch FROM window_ends_at - clock_timestamp()))::int AS seconds
    FROM attempt_budgets WHERE key = ANY(${getKeys(budgets)})`;
  const waitTimes = budgets.map(({ key, allowed }) => {
    const row = rows.find((candidate) => candidate.key === key);
    const isUsedUp = row !== undefined && row.used - row.inFlight >= allowed;
    return isUsedUp ? row.seconds : 1;
  });
  return Math.max(1, ...waitTimes);
}

function getKeys(budgets: readonly AttemptLimit[]): string[] {
  return budgets.map(({ key }) => key);
}
