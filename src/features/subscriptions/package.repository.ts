import { Prisma } from '../../generated/prisma/client.ts';
import type { Read } from '../../platform/read.ts';

/** A package as it is sold. */
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

/** The packages on offer, from small to large: there are a handful. */
export async function listOffers(read: Read): Promise<PackageRow[]> {
  return read<PackageRow>(Prisma.sql`
    SELECT id, code, names, prices, limits, features FROM subscription_packages WHERE on_offer ORDER BY rank`);
}
