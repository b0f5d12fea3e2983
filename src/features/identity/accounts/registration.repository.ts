import type { Tx } from '../../../platform/database.ts';

const MAX_PENDING_REGISTRATIONS = 5;

/** Ids are ordered by whole seconds only. */
const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

export const MAX_OTP_ATTEMPTS = 5;

export interface NewRegistration {
  id: string;
  userId: string;
  passwordHash: string;
  otpHash: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
  profile: Uint8Array<ArrayBuffer> | null;
  picture: Uint8Array<ArrayBuffer> | null;
  pictureExtension: string | null;
}

/** False unless the user is unverified, after the same statements. Deletes the oldest beyond the limit. */
export async function insertRegistration(tx: Tx, registration: NewRegistration): Promise<boolean> {
  const { id, userId, passwordHash, otpHash, expiresAt, profile, picture, pictureExtension } = registration;
  const inserted = await tx.$executeRaw`
    INSERT INTO pending_registrations
      (id, user_id, password_hash, otp_hash, expires_at, profile, picture, picture_extension)
    SELECT ${id}, person.id, ${passwordHash}, ${otpHash}::bytea, ${expiresAt}::timestamptz, ${profile}::bytea,
           ${picture}::bytea, ${pictureExtension}
    FROM users AS person WHERE person.id = ${userId} AND person.status = 'PENDING_VERIFICATION'`;
  await tx.$executeRaw`
    DELETE FROM pending_registrations WHERE id IN (
      SELECT id FROM pending_registrations WHERE user_id = ${userId}
      ORDER BY created_at DESC, id DESC OFFSET ${MAX_PENDING_REGISTRATIONS})`;
  return inserted > 0;
}

/** Find the newest of each password, expired or not: the first user needs their code among later ones. */
export async function findRegistrationsForNewOtp(
  tx: Tx,
  userId: string,
): Promise<{ id: string; createdAt: Date }[]> {
  const rows = await tx.pendingRegistration.findMany({
    where: { userId },
    orderBy: NEWEST_FIRST,
    select: { id: true, createdAt: true, passwordHash: true },
  });
  const findFirstIndex = (hash: string) => rows.findIndex(({ passwordHash }) => passwordHash === hash);
  return rows.filter(({ passwordHash }, index) => findFirstIndex(passwordHash) === index);
}

/** One statement, also for an empty list. */
export async function replaceRegistrationOtps(
  tx: Tx,
  otps: readonly { id: string; otpHash: Uint8Array }[],
  expiresAt: Date,
): Promise<void> {
  const hashes = otps.map(({ otpHash }) => Buffer.from(otpHash).toString('hex'));
  await tx.$executeRaw`
    UPDATE pending_registrations AS pending
    SET otp_hash = decode(renewed.otp_hash, 'hex'), expires_at = ${expiresAt}::timestamptz, attempts = 0
    FROM unnest(${otps.map(({ id }) => id)}::text[], ${hashes}::text[]) AS renewed (id, otp_hash)
    WHERE pending.id = renewed.id`;
}

/** Without a code the attempt limit of the address is updated unchanged, so that timing reveals nothing. */
export async function consumeOtpAttempts(tx: Tx, userId: string, budgetKey: string) {
  const now = new Date();
  const where = { userId, attempts: { lt: MAX_OTP_ATTEMPTS }, expiresAt: { gt: now } };
  const select = { id: true, otpHash: true };
  const registrations = await tx.pendingRegistration.findMany({ where, orderBy: NEWEST_FIRST, select });
  await tx.$executeRaw`
    WITH taken AS (
      UPDATE pending_registrations SET attempts = attempts + 1
      WHERE user_id = ${userId} AND attempts < ${MAX_OTP_ATTEMPTS} AND expires_at > ${now} RETURNING id
    )
    UPDATE attempt_budgets SET used = used WHERE key = ${budgetKey} AND NOT EXISTS (SELECT FROM taken)`;
  return registrations;
}

export async function getRegistration(tx: Tx, id: string) {
  return tx.pendingRegistration.findUniqueOrThrow({ where: { id } });
}

export async function deleteUserRegistrations(tx: Tx, userId: string): Promise<void> {
  await tx.pendingRegistration.deleteMany({ where: { userId } });
}

/** Also delete accounts that were never confirmed. */
export async function deleteExpiredRegistrations(tx: Tx, before: Date): Promise<number> {
  const { count } = await tx.pendingRegistration.deleteMany({ where: { expiresAt: { lt: before } } });
  await tx.user.deleteMany({
    where: { status: 'PENDING_VERIFICATION', createdAt: { lt: before }, pendingRegistrations: { none: {} } },
  });
  return count;
}
