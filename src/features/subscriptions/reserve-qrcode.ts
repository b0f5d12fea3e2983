import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { planOf } from './plan-of-user.repository.ts';

/**
 * Makes sure that an owner's package has room for the code this transaction adds; until the commit others of
 * the same owner wait. Throws PLAN_LIMIT_REACHED with what is used and allowed.
 */
export async function reserveQrCode(tx: Tx, ownerId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('qr-codes of ' || ${ownerId}, 0))`;
  const { limits, usage } = await planOf(tx, ownerId, 'en');
  const allowed = limits.qrCodes ?? null;
  // Counted with the row that is being brought back, before the one that is being made.
  if (allowed === null || usage.qrCodes < allowed) return;
  throw new ServiceError('PLAN_LIMIT_REACHED', {
    detail: `The package has room for ${allowed} codes.`,
    members: { limit: 'qrCodes', used: usage.qrCodes, allowed },
  });
}
