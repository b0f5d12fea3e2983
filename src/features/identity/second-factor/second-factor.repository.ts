import type { Db, Tx } from '../../../platform/database.ts';
import { executeSql, querySql, type SqlConnection } from '../../../platform/sql.ts';

export interface SecondFactorRow {
  userId: string;
  secret: Uint8Array;
  isOn: boolean;
  isPending: boolean;
  wrongCodes: number;
}

export interface SecondFactorState {
  confirmedAt: Date | null;
  pendingUntil: Date | null;
  recoveryCodesLeft: number;
}

/** False when a second factor is enabled. */
export async function upsertSecondFactorEnrollment(
  tx: Tx,
  enrollment: { userId: string; secret: Uint8Array; pendingUntil: Date },
): Promise<boolean> {
  const { userId, secret, pendingUntil } = enrollment;
  const rows = await querySql<unknown>(tx)`
    INSERT INTO second_factors AS factor (user_id, secret, pending_until)
    VALUES (${userId}, ${secret}::bytea, ${pendingUntil}::timestamptz)
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, pending_until = excluded.pending_until
      WHERE factor.confirmed_at IS NULL
    RETURNING 1`;
  return rows.length > 0;
}

export async function lockSecondFactor(tx: Tx, userId: string): Promise<SecondFactorRow | null> {
  const rows = await querySql<SecondFactorRow>(tx)`
    SELECT user_id AS "userId", secret, wrong_codes AS "wrongCodes", confirmed_at IS NOT NULL AS "isOn",
           coalesce(pending_until > now(), false) AS "isPending"
    FROM second_factors WHERE user_id = ${userId} FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  return (await db.secondFactor.count({ where: { userId, confirmedAt: { not: null } } })) > 0;
}

export async function findSecondFactorState(db: Db, userId: string): Promise<SecondFactorState | null> {
  const rows = await querySql<SecondFactorState>(db)`
    SELECT confirmed_at AS "confirmedAt",
           CASE WHEN pending_until > now() THEN pending_until END AS "pendingUntil",
           (SELECT count(*)::int FROM recovery_codes AS code
            WHERE code.user_id = factor.user_id AND code.used_at IS NULL) AS "recoveryCodesLeft"
    FROM second_factors AS factor WHERE user_id = ${userId}`;
  return rows[0] ?? null;
}

export async function markSecondFactorConfirmed(tx: Tx, userId: string, step: number): Promise<boolean> {
  const confirmed = await executeSql(tx)`
    UPDATE second_factors SET confirmed_at = now(), pending_until = NULL, last_step = ${step}::bigint, wrong_codes = 0
    WHERE user_id = ${userId} AND confirmed_at IS NULL AND pending_until > now()`;
  return confirmed === 1;
}

/** Consume a TOTP step and all earlier ones; false when this or a later one was used (RFC 6238, 5.2). */
export async function consumeTotpStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE second_factors SET last_step = ${step}::bigint, wrong_codes = 0
    WHERE user_id = ${userId} AND confirmed_at IS NOT NULL AND last_step < ${step}::bigint`;
  return count === 1;
}

export async function incrementWrongTotpCodes(tx: Tx, userId: string): Promise<void> {
  await executeSql(tx)`UPDATE second_factors SET wrong_codes = wrong_codes + 1 WHERE user_id = ${userId}`;
}

export async function resetWrongTotpCodes(tx: Tx, userId: string): Promise<void> {
  await executeSql(tx)`UPDATE second_factors SET wrong_codes = 0 WHERE user_id = ${userId}`;
}

export async function deleteExpiredSecondFactorEnrollments(db: Db): Promise<number> {
  return executeSql(db)`DELETE FROM second_factors WHERE confirmed_at IS NULL AND pending_until < now()`;
}

export async function deleteSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.secondFactor.deleteMany({ where: { userId } });
}

/** Active accounts with a role above USER, and those of them without a second factor. */
export async function countStaffSecondFactors(
  connection: SqlConnection,
): Promise<{ staff: number; missing: number }> {
  const [row] = await querySql<{ staff: number; missing: number }>(connection)`
    SELECT count(*)::int AS staff,
           count(*) FILTER (WHERE NOT EXISTS (
             SELECT FROM second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL))::int AS missing
    FROM users AS person WHERE role <> 'USER' AND status IN ('VERIFIED', 'ACTIVE')`;
  return row ?? { staff: 0, missing: 0 };
}
