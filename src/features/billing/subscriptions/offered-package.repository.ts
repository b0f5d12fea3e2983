import type { Db } from '../../../platform/database.ts';
import type { PackagePrice } from './package-price.rules.ts';

export interface OfferedPackage {
  id: string;
  code: string;
  version: number;
  /** Names by language. */
  names: Record<string, string>;
  prices: PackagePrice[];
}

/** Find a package on offer; null when absent or retired. */
export async function findOfferedPackage(db: Db, id: string): Promise<OfferedPackage | null> {
  const rows = await db.$queryRaw<OfferedPackage[]>`
    SELECT id, code, version, names, prices FROM subscription_packages WHERE id = ${id} AND on_offer`;
  return rows[0] ?? null;
}
