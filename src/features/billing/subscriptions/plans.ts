import type { Db, Tx } from '../../../platform/database.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { chooseLocalizedName } from './localized-name.ts';
import { SELF_HOSTED_PACKAGE } from './package.rules.ts';
import {
  type CountedLimitName,
  findLargerPackage,
  findPackageWithFeature,
  hasMinimumOlderRecords,
  hasScansBefore,
  lockQuota,
} from './quota.repository.ts';
import {
  findPlanUsage,
  findUserPackage,
  findUserPlan,
  type PlanUsageCounts,
  type UserPlan,
} from './user-plan.repository.ts';

interface LimitedRecord {
  id: string;
  accountId: string;
  createdAt: Date;
}

export interface PlanService {
  getPlan(db: Db, accountId: string, ...languages: string[]): Promise<UserPlan>;
  /** Other additions of the owner wait until COMMIT. storageBytes comes last. @throws PLAN_LIMIT_REACHED */
  reserveQuota(tx: Tx, limit: keyof PlanUsageCounts, accountId: string, amount?: number): Promise<void>;
  /** As `reserveQuota`, for as many as the package allows; returns their number. */
  reserveAvailableQuota(
    tx: Tx,
    limit: keyof PlanUsageCounts,
    accountId: string,
    amount: number,
  ): Promise<number>;
  /** Check quota without a lock, to reject early. @throws PLAN_LIMIT_REACHED */
  checkQuota(db: Db, limit: keyof PlanUsageCounts, accountId: string, amount?: number): Promise<void>;
  /** @throws PLAN_LIMIT_REACHED unless the package includes the feature */
  assertFeature(db: Db, feature: string, accountId: string): Promise<void>;
  /** The oldest records stay editable; a read-only record keeps working. */
  isReadOnly(db: Db, limit: CountedLimitName, row: LimitedRecord): Promise<boolean>;
  /** @throws PLAN_LIMIT_REACHED always */
  rejectReadOnlyChange(db: Db, limit: CountedLimitName, accountId: string): Promise<never>;
  /** Null when there are no older scans. */
  findRetentionStart(db: Db, accountId: string): Promise<Date | null>;
}

const LIMIT_LABELS = {
  qrCodes: { one: 'code', many: 'codes' },
  memoryTags: { one: 'memory tag', many: 'memory tags' },
  documents: { one: 'document', many: 'documents' },
  members: { one: 'member', many: 'members, those invited included' },
  storageBytes: { one: 'byte of files', many: 'bytes of files' },
} satisfies Record<keyof PlanUsageCounts, unknown>;

export function createPlanService({ billing }: { billing: 'stripe' | 'sandbox' | 'off' }): PlanService {
  const isSold = billing !== 'off';

  const getPlan: PlanService['getPlan'] = async (db, accountId, ...languages) => {
    const { id, code, names, limits, usage } = isSold
      ? await findUserPlan(db, accountId)
      : { ...SELF_HOSTED_PACKAGE, usage: await findPlanUsage(db, accountId) };
    return { package: { id, code, name: chooseLocalizedName(names, languages, code) }, limits, usage };
  };

  const getQuota = async (db: Db, limit: keyof PlanUsageCounts, accountId: string) => {
    const { limits, usage } = await findUserPlan(db, accountId);
    return { used: usage[limit], allowed: limits[limit] ?? null };
  };

  const createLimitError = async (
    db: Db,
    limit: keyof PlanUsageCounts,
    { used, allowed }: { used: number; allowed: number },
    detail: string,
  ) => {
    const larger = await findLargerPackage(db, limit, allowed);
    return new ServiceError('PLAN_LIMIT_REACHED', {
      detail,
      members: { limit, used, allowed, largerPackage: larger },
    });
  };

  const checkQuota: PlanService['checkQuota'] = async (db, limit, accountId, amount = 1) => {
    if (!isSold) return;
    const { used, allowed } = await getQuota(db, limit, accountId);
    if (allowed === null || used + amount <= allowed) return;
    const detail = `The package allows ${allowed} ${allowed === 1 ? LIMIT_LABELS[limit].one : LIMIT_LABELS[limit].many}.`;
    throw await createLimitError(db, limit, { used, allowed }, detail);
  };

  return {
    getPlan,
    checkQuota,

    async reserveQuota(tx, limit, accountId, amount) {
      if (!isSold) return;
      await lockQuota(tx, limit, accountId);
      await checkQuota(tx, limit, accountId, amount);
    },

    async reserveAvailableQuota(tx, limit, accountId, amount) {
      if (!isSold) return amount;
      await lockQuota(tx, limit, accountId);
      const { used, allowed } = await getQuota(tx, limit, accountId);
      return allowed === null ? amount : Math.max(0, Math.min(amount, allowed - used));
    },

    async assertFeature(db, feature, accountId) {
      if (!isSold || (await findUserPackage(db, accountId)).features.includes(feature)) return;
      throw new ServiceError('PLAN_LIMIT_REACHED', {
        detail: `The package does not include the feature ${feature}.`,
        members: {
          limit: feature,
          used: 0,
          allowed: 0,
          largerPackage: await findPackageWithFeature(db, feature),
        },
      });
    },

    async isReadOnly(db, limit, row) {
      if (!isSold) return false;
      const { used, allowed } = await getQuota(db, limit, row.accountId);
      if (allowed === null || used <= allowed) return false;
      return hasMinimumOlderRecords(db, limit, row, allowed);
    },

    async rejectReadOnlyChange(db, limit, accountId) {
      const { used, allowed: quota } = await getQuota(db, limit, accountId);
      const allowed = quota ?? used;
      const detail = `The package allows ${allowed} ${LIMIT_LABELS[limit].many}. This ${LIMIT_LABELS[limit].one} is above the limit: it keeps working but is read-only.`;
      throw await createLimitError(db, limit, { used, allowed }, detail);
    },

    async findRetentionStart(db, accountId) {
      if (!isSold) return null;
      const { scansKeptDays = null } = (await findUserPackage(db, accountId)).limits;
      if (scansKeptDays === null) return null;
      const since = new Date(Date.now() - scansKeptDays * DAY_MS);
      return (await hasScansBefore(db, accountId, since)) ? since : null;
    },
  };
}
