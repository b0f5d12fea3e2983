import type { Db } from '../../../platform/database.ts';
import type { PackagePrice } from './package-price.rules.ts';

/** A package that can be chosen, in the version that is offered now. */
export interface OfferedPackage {
  id: string;
  code: string;
  version: number;
  /** Language to name. */
  names: Record<string, string>;
  prices: PackagePrice[];
}

/** A package on offer; null where there is none of this id, or it cannot be chosen any more. */
export async function findOfferedPackage(db: Db, id: string): Promise<OfferedPackage | null> {
  const rows = await db.$queryRaw<OfferedPackage[]>`
    SELECT id, code, version, names, prices FROM subscription_packages WHERE id = ${id} AND on_offer`;
  return rows[0] ?? null;
}
