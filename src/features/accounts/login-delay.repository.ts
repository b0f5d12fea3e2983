import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';

/** Failures in a row that cost nothing; from then on each doubles the wait, up to a quarter of an hour. */
const FREE_FAILURES = 10;
const LONGEST_WAIT = 15 * 60;

/**
 * Reserves one log-in try of an account (or of a known device) before the password is compared: it counts as
 * a failure until it is shown to be right. Throws RATE_LIMITED with the seconds to wait.
 */
export async function reserveLogin(db: Db, key: string): Promise<void> {
  const reserved = await db.$queryRaw<unknown[]>`
    INSERT INTO login_delays AS delay (key, failures, next_allowed_at) VALUES (${key}, 1, now())
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN delay.next_allowed_at < now() - interval '1 day' THEN 1 ELSE delay.failures + 1 END,
      next_allowed_at = CASE
        WHEN delay.next_allowed_at < now() - interval '1 day' OR delay.failures + 1 < ${FREE_FAILURES} THEN now()
        ELSE now() + least(${LONGEST_WAIT}, power(2, least(20, delay.failures + 1 - ${FREE_FAILURES}))) * interval '1 second'
      END
      WHERE delay.next_allowed_at <= now()
    RETURNING 1`;
  if (reserved.length > 0) return;
  const rows = await db.$queryRaw<{ seconds: number }[]>`
    SELECT greatest(1, ceil(extract(epoch FROM next_allowed_at - now())))::int AS seconds
    FROM login_delays WHERE key = ${key}`;
  throw new ServiceError('RATE_LIMITED', {
    detail: 'Too many log-ins failed.',
    retryAfterSeconds: rows[0]?.seconds ?? 1,
  });
}

/** Forgets the failures: the password was right. */
export async function clearLoginDelay(tx: Tx, key: string): Promise<void> {
  await tx.loginDelay.deleteMany({ where: { key } });
}

/** Forgets delays that are long over. */
export async function deleteOldLoginDelays(db: Db): Promise<number> {
  return db.$executeRaw`DELETE FROM login_delays WHERE next_allowed_at < now() - interval '2 days'`;
}
