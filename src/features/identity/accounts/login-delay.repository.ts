import type { Db, Tx } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { getMaxConsecutiveFailures } from './consecutive-failure-limits.ts';
import type { LoginThrottleKeys } from './device-token.ts';

/** Failures in a row that cost nothing; from then on each doubles the wait, up to a quarter of an hour. */
const MAX_FREE_LOGIN_FAILURES = 10;
const MAX_LOGIN_DELAY_SECONDS = 15 * 60;

/** Days without a try after which an address has no failures in a row any more. */
const LOGIN_DELAY_RETENTION_DAYS = 30;

/**
 * Reserves one log-in try of an account (or of a known device) before the password is compared: it counts as
 * a failure until it is shown to be right. Throws RATE_LIMITED with the seconds to wait; also when the account has
 * failed too often in a row, which waiting does not change. Tries that cost nothing do not ask the clock: that of another
 * try in the same millisecond is stored rounded, and may lie ahead.
 */
export async function consumeLoginAttempt(db: Db, keys: LoginThrottleKeys): Promise<void> {
  const reserved = await db.$queryRaw<unknown[]>`
    INSERT INTO login_delays AS delay (key, failures, next_allowed_at) VALUES (${keys.delayKey}, 1, now())
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN delay.next_allowed_at < now() - interval '1 day' THEN 1 ELSE delay.failures + 1 END,
      next_allowed_at = CASE
        WHEN delay.next_allowed_at < now() - interval '1 day' OR delay.failures + 1 < ${MAX_FREE_LOGIN_FAILURES} THEN now()
        ELSE now() + least(${MAX_LOGIN_DELAY_SECONDS}, power(2, least(20, delay.failures + 1 - ${MAX_FREE_LOGIN_FAILURES}))) * interval '1 second'
      END
      WHERE delay.failures < ${MAX_FREE_LOGIN_FAILURES} OR delay.next_allowed_at <= clock_timestamp()
    RETURNING 1`;
  if (reserved.length === 0) throw await createLoginDelayError(db, keys);
  // Only after the wait, so that tries that were not compared do not use the account's failures up.
  const maxFailures = getMaxConsecutiveFailures('password', keys.isKnownDevice);
  const counted = await db.$queryRaw<unknown[]>`
    INSERT INTO login_delays AS delay (key, failures, next_allowed_at, consecutive_failures) VALUES (${keys.accountKey}, 0, now(), 1)
    ON CONFLICT (key) DO UPDATE SET consecutive_failures = delay.consecutive_failures + 1 WHERE delay.consecutive_failures < ${maxFailures}
    RETURNING 1`;
  if (counted.length > 0) return;
  throw new ServiceError('RATE_LIMITED', {
    detail:
      'Too many log-ins failed in a row. Use a device that logged in before, or choose a new password by a mailed link.',
    retryAfterSeconds: MAX_LOGIN_DELAY_SECONDS,
  });
}

async function createLoginDelayError(db: Db, keys: LoginThrottleKeys): Promise<ServiceError> {
  const rows = await db.$queryRaw<{ seconds: number }[]>`
    SELECT greatest(1, ceil(extract(epoch FROM next_allowed_at - now())))::int AS seconds
    FROM login_delays WHERE key = ${keys.delayKey}`;
  return new ServiceError('RATE_LIMITED', {
    detail: 'Too many log-ins failed.',
    retryAfterSeconds: rows[0]?.seconds ?? 1,
  });
}

/** Takes one reserved try back: the password was right, and whether the person logs in is not decided yet. */
export async function refundLoginAttempt(tx: Tx, keys: LoginThrottleKeys): Promise<void> {
  await tx.$executeRaw`
    UPDATE login_delays SET failures = greatest(0, failures - 1), next_allowed_at = now() WHERE key = ${keys.delayKey}`;
  await tx.$executeRaw`
    UPDATE login_delays SET consecutive_failures = greatest(0, consecutive_failures - 1) WHERE key = ${keys.accountKey}`;
}

/**
 * Forgets the failures: the person logged in. What others made the address wait for stays where a known device
 * did, or each log-in of the owner would give them new tries.
 */
export async function resetLoginFailures(tx: Tx, keys: LoginThrottleKeys): Promise<void> {
  await tx.loginDelay.deleteMany({ where: { key: keys.delayKey } });
  await tx.$executeRaw`UPDATE login_delays SET consecutive_failures = 0 WHERE key = ${keys.accountKey}`;
}

/** Forgets delays that are long over, with the failures in a row. */
export async function deleteExpiredLoginDelays(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM login_delays WHERE next_allowed_at < now() - ${LOGIN_DELAY_RETENTION_DAYS}::int * interval '1 day'`;
}
