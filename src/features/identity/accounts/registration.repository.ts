import type { Tx } from '../../../platform/database.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';

/** At most 2 kB each, and a picture within the limits of registration-picture.ts. */
const MAX_PENDING_REGISTRATIONS_PER_NETWORK = 5;
const MAX_PENDING_REGISTRATIONS = 100;

/** Of different passwords; a resend renews no more. */
const MAX_RENEWED_REGISTRATIONS = 5;

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
  networkHash: Uint8Array<ArrayBuffer>;
}

/**
 * Insert a registration; false unless the user is unverified. The same statements write the same bytes then, against
 * timing attacks, and the row is deleted. So are surplus rows: of a network the oldest; over all networks those of networks
 * with several first, so that none of them displaces the only registration of another network. Repeats of one password go
 * before others: the confirmation has to know that there were several.
 */
export async function insertRegistration(tx: Tx, registration: NewRegistration): Promise<boolean> {
  const { id, userId, passwordHash, otpHash, expiresAt, profile, picture, networkHash } = registration;
  await executeSql(tx)`
    INSERT INTO pending_registrations
      (id, user_id, password_hash, otp_hash, expires_at, profile, picture, network_hash)
    VALUES (${id}, ${userId}, ${passwordHash}, ${otpHash}::bytea, ${expiresAt}::timestamptz, ${profile}::bytea,
            ${picture}::bytea, ${networkHash}::bytea)`;
  const deleted = await querySql<{ id: string }>(tx)`
    DELETE FROM pending_registrations WHERE id IN (
      (SELECT ${id} FROM users WHERE id = ${userId} AND status <> 'PENDING_VERIFICATION')
      UNION ALL
      (SELECT id FROM pending_registrations WHERE user_id = ${userId} AND network_hash = ${networkHash}::bytea
       ORDER BY row_number() OVER (PARTITION BY password_hash ORDER BY created_at DESC, id DESC), created_at DESC, id DESC
       OFFSET ${MAX_PENDING_REGISTRATIONS_PER_NETWORK})
      UNION ALL
      (SELECT id FROM pending_registrations WHERE user_id = ${userId}
       ORDER BY row_number() OVER (PARTITION BY password_hash ORDER BY created_at DESC, id DESC),
                row_number() OVER (PARTITION BY network_hash ORDER BY created_at DESC, id DESC), created_at DESC, id DESC
       OFFSET ${MAX_PENDING_REGISTRATIONS})) RETURNING id`;
  return deleted.every((row) => row.id !== id);
}

export interface RenewableRegistration {
  id: string;
  createdAt: Date;
  passwordHash: string;
  profile: Uint8Array<ArrayBuffer> | null;
  isFromNetwork: boolean;
}

/**
 * Find the newest of each password, expired or not: the first user needs their code among later ones. Those of
 * the network if it has any; `networkHash` null: of all networks.
 */
export async function findRegistrationsForNewOtp(
  tx: Tx,
  userId: string,
  networkHash: Uint8Array<ArrayBuffer> | null,
): Promise<RenewableRegistration[]> {
  const rows = await tx.pendingRegistration.findMany({
    where: { userId },
    orderBy: NEWEST_FIRST,
    select: { id: true, createdAt: true, passwordHash: true, profile: true, networkHash: true },
  });
  const registrations = rows.map(({ networkHash: origin, ...row }) => ({
    ...row,
    isFromNetwork: networkHash === null || Buffer.compare(origin, networkHash) === 0,
  }));
  const own = registrations.filter(({ isFromNetwork }) => isFromNetwork);
  const candidates = own.length > 0 ? own : registrations;
  const findFirstIndex = (hash: string) => candidates.findIndex(({ passwordHash }) => passwordHash === hash);
  return candidates
    .filter(({ passwordHash }, index) => findFirstIndex(passwordHash) === index)
    .slice(0, MAX_RENEWED_REGISTRATIONS);
}

/** Read the pictures of registrations; one statement, also for an empty list. */
export async function findRegistrationPictures(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const rows = await tx.pendingRegistration.findMany({
    where: { id: { in: [...ids] }, picture: { not: null } },
    select: { id: true, picture: true },
  });
  return new Map(rows.flatMap(({ id, picture }) => (picture ? [[id, picture] as const] : [])));
}

/** Copy registrations for another network. One statement, also for an empty list. */
export async function copyRegistrations(
  tx: Tx,
  networkHash: Uint8Array<ArrayBuffer>,
  copies: readonly {
    id: string;
    from: string;
    otpHash: Uint8Array;
    profile: Uint8Array | null;
    picture: Uint8Array | null;
  }[],
  expiresAt: Date,
): Promise<void> {
  const toHex = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');
  await executeSql(tx)`
    INSERT INTO pending_registrations
      (id, user_id, password_hash, otp_hash, expires_at, profile, picture, network_hash, created_at)
    SELECT copy.id, original.user_id, original.password_hash, decode(copy.otp_hash, 'hex'),
           ${expiresAt}::timestamptz, decode(copy.profile, 'hex'), decode(copy.picture, 'hex'),
           ${networkHash}::bytea, original.created_at
    FROM unnest(${copies.map(({ id }) => id)}::text[], ${copies.map(({ from }) => from)}::text[],
                ${copies.map(({ otpHash }) => toHex(otpHash))}::text[],
                ${copies.map(({ profile }) => toHex(profile))}::text[],
                ${copies.map(({ picture }) => toHex(picture))}::text[])
      AS copy (id, from_id, otp_hash, profile, picture)
    JOIN pending_registrations AS original ON original.id = copy.from_id`;
}

/** One statement, also for an empty list. */
export async function replaceRegistrationOtps(
  tx: Tx,
  otps: readonly { id: string; otpHash: Uint8Array }[],
  expiresAt: Date,
): Promise<void> {
  const hashes = otps.map(({ otpHash }) => Buffer.from(otpHash).toString('hex'));
  await executeSql(tx)`
    UPDATE pending_registrations AS pending
    SET otp_hash = decode(renewed.otp_hash, 'hex'), expires_at = ${expiresAt}::timestamptz, attempts = 0,
        foreign_attempts = 0
    FROM unnest(${otps.map(({ id }) => id)}::text[], ${hashes}::text[]) AS renewed (id, otp_hash)
    WHERE pending.id = renewed.id`;
}

export interface OtpCandidateQuery {
  userId: string;
  networkHash: Uint8Array<ArrayBuffer>;
  /** Whether this network registered the address: then only its own codes are compared. */
  isOwnNetwork: boolean;
  limit: number;
}

/**
 * Find the codes that one guess is compared with, and count it for each. Guesses of other networks have a count
 * of their own, so that they void no code for the network that registered. Without a code the attempt limit is
 * updated unchanged, so that timing reveals nothing.
 */
export async function consumeOtpAttempts(tx: Tx, query: OtpCandidateQuery, budgetKey: string) {
  const { userId, networkHash, isOwnNetwork, limit } = query;
  const candidates = await querySql<{ id: string; otpHash: Uint8Array<ArrayBuffer> }>(tx)`
    SELECT id, otp_hash AS "otpHash" FROM pending_registrations
    WHERE user_id = ${userId} AND expires_at > now()
      AND CASE WHEN ${isOwnNetwork}::boolean
            THEN network_hash = ${networkHash}::bytea AND attempts < ${MAX_OTP_ATTEMPTS}
            ELSE foreign_attempts < ${MAX_OTP_ATTEMPTS} END
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  await executeSql(tx)`
    WITH taken AS (
      UPDATE pending_registrations
      SET attempts = attempts + CASE WHEN ${isOwnNetwork}::boolean THEN 1 ELSE 0 END,
          foreign_attempts = foreign_attempts + CASE WHEN ${isOwnNetwork}::boolean THEN 0 ELSE 1 END
      WHERE id = ANY(${candidates.map(({ id }) => id)}::text[]) RETURNING id
    )
    UPDATE attempt_budgets SET used = used WHERE key = ${budgetKey} AND NOT EXISTS (SELECT FROM taken)`;
  return candidates;
}

export async function refundOtpAttempts(
  tx: Tx,
  registrations: readonly { id: string }[],
  isOwnNetwork: boolean,
): Promise<void> {
  await tx.pendingRegistration.updateMany({
    where: { id: { in: registrations.map(({ id }) => id) } },
    data: isOwnNetwork ? { attempts: { decrement: 1 } } : { foreignAttempts: { decrement: 1 } },
  });
}

/** Of all networks, expired or not, in a fixed order. */
export async function listRegistrationPasswords(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.pendingRegistration.findMany({
    where: { userId },
    distinct: 'passwordHash',
    orderBy: { passwordHash: 'asc' },
    select: { passwordHash: true },
  });
  return rows.map(({ passwordHash }) => passwordHash);
}

export async function findNewestRegistrationOfPassword(tx: Tx, userId: string, passwordHash: string) {
  return tx.pendingRegistration.findFirst({ where: { userId, passwordHash }, orderBy: NEWEST_FIRST });
}

export async function findRegistration(tx: Tx, id: string) {
  return tx.pendingRegistration.findUnique({ where: { id } });
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
