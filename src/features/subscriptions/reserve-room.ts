import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Plan, planOf } from './plan-of-user.repository.ts';

/** What a package limits: the name of the limit to how its error calls it. */
const WORDS = { qrCodes: 'codes', memoryTags: 'memory tags' } satisfies Record<keyof Plan['usage'], string>;

/**
 * Makes sure that an owner's package has room for the code this transaction adds; until the commit others of
 * the same owner wait. Throws PLAN_LIMIT_REACHED with what is used and allowed.
 */
export async function reserveQrCode(tx: Tx, ownerId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('qr-codes of ' || ${ownerId}, 0))`;
  await requireRoom(tx, ownerId, 'qrCodes');
}

/** The same for a memory tag. */
export async function reserveMemoryTag(tx: Tx, ownerId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('memory-tags of ' || ${ownerId}, 0))`;
  await requireRoom(tx, ownerId, 'memoryTags');
}

async function requireRoom(tx: Tx, ownerId: string, limit: keyof typeof WORDS): Promise<void> {
  const { limits, usage } = await planOf(tx, ownerId, 'en');
  const allowed = limits[limit] ?? null;
  // Counted with the row that is being brought back, before the one that is being made.
  if (allowed === null || usage[limit] < allowed) return;
  throw new ServiceError('PLAN_LIMIT_REACHED', {
    detail: `The package has room for ${allowed} ${WORDS[limit]}.`,
    members: { limit, used: usage[limit], allowed },
  });
}
