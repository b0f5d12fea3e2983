import type { Db, Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { nameIn } from './accepted-language.rules.ts';
import { findPlan, findUsage, type Plan, type Usage } from './plan-of-user.repository.ts';
import { type CountedLimit, findLarger, hasOlder, hasScansBefore, lockRoom } from './room.repository.ts';
import { SELF_HOSTED } from './self-hosted.rules.ts';

/** A record of somebody that a package has room for. */
interface Limited {
  id: string;
  ownerId: string;
  createdAt: Date;
}

/** Asks for plans, and holds people to them: the one place where limits are enforced. */
export interface Plans {
  /** The plan of a person, its package named in the first of the languages that there is a name in. */
  planOf(db: Db, userId: string, ...languages: string[]): Promise<Plan>;
  /**
   * Makes sure that an owner's package has room for what this transaction adds, one record or `amount` bytes; until the
   * commit others of the same owner wait. Of several limits storageBytes comes last. Throws PLAN_LIMIT_REACHED.
   */
  reserveRoom(tx: Tx, limit: keyof Usage, ownerId: string, amount?: number): Promise<void>;
  /** The same without waiting and without a promise: for what would be in vain. */
  checkRoom(db: Db, limit: keyof Usage, ownerId: string, amount?: number): Promise<void>;
  /** Whether a record is beyond what its owner's package has room for: the oldest ones stay within. It keeps working. */
  isReadOnly(db: Db, limit: CountedLimit, row: Limited): Promise<boolean>;
  /** Throws PLAN_LIMIT_REACHED for a change of what is read-only. */
  refuseReadOnly(db: Db, limit: CountedLimit, ownerId: string): Promise<never>;
  /** From when on an owner's package keeps scans, where there are older ones; else null. */
  scansKeptSince(db: Db, ownerId: string): Promise<Date | null>;
}

const DAY = 24 * 60 * 60 * 1000;

/** How the error calls what a package limits. */
const WORDS = {
  qrCodes: { one: 'code', many: 'codes' },
  memoryTags: { one: 'memory tag', many: 'memory tags' },
  documents: { one: 'document', many: 'documents' },
  storageBytes: { one: 'byte of files', many: 'bytes of files' },
} satisfies Record<keyof Usage, unknown>;

/** The plans of everybody: those they bought, or none with `billing` off. */
export function createPlans({ billing }: { billing: 'stripe' | 'sandbox' | 'off' }): Plans {
  const isSold = billing !== 'off';

  const planOf: Plans['planOf'] = async (db, userId, ...languages) => {
    const { id, code, names, limits, usage } = isSold
      ? await findPlan(db, userId)
      : { ...SELF_HOSTED, usage: await findUsage(db, userId) };
    return { package: { id, code, name: nameIn(names, languages, code) }, limits, usage };
  };

  /** What of a limit is used, and allowed. */
  const roomOf = async (db: Db, limit: keyof Usage, ownerId: string) => {
    const { limits, usage } = await findPlan(db, ownerId);
    return { used: usage[limit], allowed: limits[limit] ?? null };
  };

  const limitReached = async (
    db: Db,
    limit: keyof Usage,
    { used, allowed }: { used: number; allowed: number },
    detail: string,
  ) => {
    const larger = await findLarger(db, limit, allowed);
    return new ServiceError('PLAN_LIMIT_REACHED', {
      detail,
      members: { limit, used, allowed, largerPackage: larger },
    });
  };

  const checkRoom: Plans['checkRoom'] = async (db, limit, ownerId, amount = 1) => {
    if (!isSold) return;
    const { used, allowed } = await roomOf(db, limit, ownerId);
    if (allowed === null || used + amount <= allowed) return;
    const detail = `The package has room for ${allowed} ${allowed === 1 ? WORDS[limit].one : WORDS[limit].many}.`;
    throw await limitReached(db, limit, { used, allowed }, detail);
  };

  return {
    planOf,
    checkRoom,

    async reserveRoom(tx, limit, ownerId, amount) {
      if (!isSold) return;
      await lockRoom(tx, limit, ownerId);
      await checkRoom(tx, limit, ownerId, amount);
    },

    async isReadOnly(db, limit, row) {
      if (!isSold) return false;
      const { used, allowed } = await roomOf(db, limit, row.ownerId);
      if (allowed === null || used <= allowed) return false;
      return hasOlder(db, limit, row, allowed);
    },

    async refuseReadOnly(db, limit, ownerId) {
      const { used, allowed: room } = await roomOf(db, limit, ownerId);
      const allowed = room ?? used;
      const detail = `The package has room for ${allowed} ${WORDS[limit].many}, and this ${WORDS[limit].one} is beyond them: it keeps working, but cannot be changed.`;
      throw await limitReached(db, limit, { used, allowed }, detail);
    },

    async scansKeptSince(db, ownerId) {
      if (!isSold) return null;
      const { scansKeptDays = null } = (await findPlan(db, ownerId)).limits;
      if (scansKeptDays === null) return null;
      const since = new Date(Date.now() - scansKeptDays * DAY);
      return (await hasScansBefore(db, ownerId, since)) ? since : null;
    },
  };
}
