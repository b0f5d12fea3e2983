import type { Database, Db, Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { type NetworkAttemptRule, tryConsumeNetworkAttempts } from '../../../platform/network-attempts.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import { scaleByAddress } from '../../../shared/client-address.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { getMaxConsecutiveLoginFailures } from './consecutive-failure-limits.ts';
import type { LoginThrottleKeys } from './device-token.ts';
import { findSessionNetworkMatch } from './session.repository.ts';

/** Consecutive failures without delay; each further one doubles the delay, up to 15 minutes. */
const MAX_FREE_LOGIN_FAILURES = 10;
const MAX_LOGIN_DELAY_SECONDS = 15 * 60;

const LOGIN_DELAY_RETENTION_DAYS = 30;

/**
 * For each network, after the failures of all networks used up those of the account. Logins from known devices and
 * networks never need it.
 */
const RESERVED_LOGIN_RULE: NetworkAttemptRule = {
  name: 'login-reserve',
  windowSeconds: DAY_SECONDS,
  perNetwork: 2,
  open: 0,
  reserve: { perNetwork: 2, perProvider: 20 },
  max: 300,
};

/**
 * Count a failure before the comparison. Without a delay the clock is not compared: stored times may lie
 * ahead.
 * @throws RATE_LIMITED during a delay, or after too many consecutive failures
 */
export async function consumeLoginAttempt(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  keys: LoginThrottleKeys,
): Promise<void> {
  const { client } = database;
  const maxFailures = getMaxConsecutiveLoginFailures('password', keys.isKnownDevice);
  const scale = (max: number) => (keys.isKnownDevice ? max : scaleByAddress(keys.address, max));
  const [maxFree, maxOfOrigin] = [scale(MAX_FREE_LOGIN_FAILURES), scale(maxFailures)];
  const reserved = await querySql<{ failures: number }>(client)`
    INSERT INTO login_delays AS delay (key, failures, consecutive_failures, next_allowed_at)
    VALUES (${keys.delayKey}, 1, 1, now())
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN delay.next_allowed_at < now() - interval '1 day' THEN 1 ELSE delay.failures + 1 END,
      consecutive_failures = least(${maxOfOrigin} + 1, delay.consecutive_failures + 1),
      next_allowed_at = CASE
        WHEN delay.next_allowed_at < now() - interval '1 day' OR delay.failures + 1 < ${maxFree} THEN now()
        ELSE now() + least(${MAX_LOGIN_DELAY_SECONDS}, power(2, least(20, delay.failures + 1 - ${maxFree}))) * interval '1 second'
      END
      WHERE delay.failures < ${maxFree} OR delay.next_allowed_at <= clock_timestamp()
    RETURNING consecutive_failures AS failures`;
  const [row] = reserved;
  if (!row) throw await createLoginDelayError(client, keys);
  if (row.failures > maxOfOrigin) throw createConsecutiveFailuresError();
  if (!keys.isKnownDevice) await consumeAccountAttempt(database, fieldCipher, keys, maxFailures);
}

/** Counted after the delay only, so that rejected attempts do not use up the failures of the account. */
async function consumeAccountAttempt(
  database: Database,
  fieldCipher: FieldCipher,
  { accountKey, userId, address }: LoginThrottleKeys,
  maxFailures: number,
): Promise<void> {
  const updated = await querySql<unknown>(database.client)`
    INSERT INTO login_delays AS delay (key, failures, next_allowed_at, consecutive_failures)
    VALUES (${accountKey}, 0, now(), 1)
    ON CONFLICT (key) DO UPDATE SET consecutive_failures = delay.consecutive_failures + 1
      WHERE delay.consecutive_failures < ${maxFailures}
    RETURNING 1`;
  if (updated.length > 0) return;
  const { same } = await findSessionNetworkMatch(database.client, userId, address);
  if (same) return;
  const attempt = { subject: accountKey, address };
  const isReserved = await database.transaction((tx) =>
    tryConsumeNetworkAttempts(tx, fieldCipher, [RESERVED_LOGIN_RULE], attempt),
  );
  if (!isReserved) throw createConsecutiveFailuresError();
}

function createConsecutiveFailuresError(): ServiceError {
  return new ServiceError('RATE_LIMITED', {
    detail:
      'Too many logins failed in a row. Use a device that logged in before, or choose a new password by a mailed link.',
    retryAfterSeconds: MAX_LOGIN_DELAY_SECONDS,
  });
}

async function createLoginDelayError(db: Db, keys: LoginThrottleKeys): Promise<ServiceError> {
  const rows = await querySql<{ seconds: number }>(db)`
    SELECT greatest(1, ceil(extract(epoch FROM next_allowed_at - now())))::int AS seconds
    FROM login_delays WHERE key = ${keys.delayKey}`;
  return new ServiceError('RATE_LIMITED', {
    detail: 'Too many failed logins.',
    retryAfterSeconds: rows[0]?.seconds ?? 1,
  });
}

/** The password was right, but the login is not complete. */
export async function refundLoginAttempt(tx: Tx, keys: LoginThrottleKeys): Promise<void> {
  await executeSql(tx)`
    UPDATE login_delays SET failures = greatest(0, failures - 1), next_allowed_at = now(),
           consecutive_failures = greatest(0, consecutive_failures - 1)
    WHERE key = ${keys.delayKey}`;
  if (keys.isKnownDevice) return;
  await executeSql(tx)`
    UPDATE login_delays SET consecutive_failures = greatest(0, consecutive_failures - 1) WHERE key = ${keys.accountKey}`;
}

/** Keep the counts of other networks: logins of the owner would give attackers attempts. */
export async function resetLoginFailures(tx: Tx, keys: LoginThrottleKeys): Promise<void> {
  await tx.loginDelay.deleteMany({ where: { key: keys.delayKey } });
  await executeSql(tx)`UPDATE login_delays SET consecutive_failures = 0 WHERE key = ${keys.accountKey}`;
}

/** Of an erased account. Counts of networks expire. */
export async function deleteLoginFailures(tx: Tx, accountKey: string): Promise<void> {
  await tx.loginDelay.deleteMany({ where: { key: accountKey } });
}

export async function deleteExpiredLoginDelays(db: Db): Promise<number> {
  return executeSql(db)`
    DELETE FROM login_delays WHERE next_allowed_at < now() - ${LOGIN_DELAY_RETENTION_DAYS}::int * interval '1 day'`;
}
