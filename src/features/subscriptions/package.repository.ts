import type { Db } from '../../platform/database.ts';

/** A package on offer. */
export interface PackageRow {
  id: string;
  code: string;
  /** Language to name. */
  names: Record<string, string>;
  prices: { interval: 'month' | 'year'; currency: string; amount: number }[];
  /** Name of a limit to its number; null is none. */
  limits: Record<string, number | null>;
  features: string[];
}

/** A page of the packages on offer, from small to large, and how many there are. */
export async function listPackages(
  db: Db,
  page: { skip: number; take: number },
): Promise<{ rows: PackageRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.$queryRaw<PackageRow[]>`
      SELECT id, code, names, prices, limits, features FROM subscription_packages
      ORDER BY rank LIMIT ${page.take} OFFSET ${page.skip}`,
    db.subscriptionPackage.count(),
  ]);
  return { rows, total };
}
