import type { Tx } from '../../platform/database.ts';

/** Registrations of one address that may wait at the same time. */
const KEPT = 5;

/** Ids tell apart whole seconds only. */
const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Codes compared for one registration at the most. */
export const TRIES = 5;

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

/** Adds a registration; of an address that is registered again and again the oldest are forgotten. */
export async function insertRegistration(tx: Tx, registration: NewRegistration): Promise<void> {
  await tx.pendingRegistration.create({ data: registration, select: { id: true } });
  await tx.$executeRaw`
    DELETE FROM pending_registrations WHERE id IN (
      SELECT id FROM pending_registrations WHERE user_id = ${registration.userId}
      ORDER BY created_at DESC, id DESC OFFSET ${KEPT})`;
}

/** The newest registration of a person, whether or not its code is still valid. */
export async function findNewestRegistration(tx: Tx, userId: string): Promise<{ id: string } | null> {
  return tx.pendingRegistration.findFirst({
    where: { userId },
    orderBy: NEWEST_FIRST,
    select: { id: true },
  });
}

/** Gives a registration a new code, with new tries. */
export async function replaceOtp(
  tx: Tx,
  id: string,
  otp: { otpHash: Uint8Array<ArrayBuffer>; expiresAt: Date },
): Promise<void> {
  await tx.pendingRegistration.update({ where: { id }, data: { ...otp, attempts: 0 }, select: { id: true } });
}

/** The registrations whose code may be compared now; each has a try taken from it. */
export async function takeTries(tx: Tx, userId: string) {
  const where = { userId, attempts: { lt: TRIES }, expiresAt: { gt: new Date() } };
  const open = await tx.pendingRegistration.findMany({ where, orderBy: NEWEST_FIRST });
  await tx.pendingRegistration.updateMany({ where, data: { attempts: { increment: 1 } } });
  return open;
}

/** Forgets every registration of a person: one of them was confirmed. */
export async function deleteRegistrations(tx: Tx, userId: string): Promise<void> {
  await tx.pendingRegistration.deleteMany({ where: { userId } });
}

/** Forgets registrations that ended before this moment, and accounts that were never confirmed. */
export async function deleteStaleRegistrations(tx: Tx, before: Date): Promise<number> {
  const { count } = await tx.pendingRegistration.deleteMany({ where: { expiresAt: { lt: before } } });
  await tx.user.deleteMany({
    where: { status: 'PENDING_VERIFICATION', createdAt: { lt: before }, pendingRegistrations: { none: {} } },
  });
  return count;
}
