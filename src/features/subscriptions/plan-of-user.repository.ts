import type { Db } from '../../platform/database.ts';
import { nameIn } from './accepted-language.rules.ts';

/** A person's package with its limits (null is none), and what they use of it. */
export interface Plan {
  package: { id: string; code: string; name: string };
  limits: Record<string, number | null>;
  usage: { qrCodes: number; memoryTags: number };
}

/**
 * The plan of a person, its package named in the first of the languages that there is a name in;
 * everybody without a subscription has the free package.
 */
export async function planOf(db: Db, userId: string, ...languages: string[]): Promise<Plan> {
  const [row] = await db.$queryRaw<PlanRow[]>`
    SELECT package.id, package.code, package.names, package.limits,
           (SELECT count(*)::int FROM qr_codes WHERE owner_id = ${userId} AND status <> 'DELETED') AS "qrCodes",
           (SELECT count(*)::int FROM memory_tags WHERE owner_id = ${userId}) AS "memoryTags"
    FROM subscription_packages AS package WHERE package.code = 'FREE'`;
  if (!row) throw new Error('The free package is missing.');
  const { id, code, names, limits, qrCodes, memoryTags } = row;
  const name = nameIn(names, languages, code);
  return { package: { id, code, name }, limits, usage: { qrCodes, memoryTags } };
}

interface PlanRow {
  id: string;
  code: string;
  names: Record<string, string>;
  limits: Record<string, number | null>;
  qrCodes: number;
  memoryTags: number;
}
