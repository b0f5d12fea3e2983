import { Prisma } from '../generated/prisma/client.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';

/**
 * Conditions of SQL over the aliases `session` and `person`: whether enterprise mode holds for the person (for
 * everybody where `everyone`), and whether a session is too old or was idle for too long under its rules.
 */
export function buildSessionExpiryConditions(enforcedGlobally: boolean) {
  const isEnterprise = Prisma.sql`(person.enterprise_mode OR ${enforcedGlobally})`;
  const since = (column: Prisma.Sql, seconds: number) =>
    Prisma.sql`(${isEnterprise} AND ${column} <= now() - ${seconds}::int * interval '1 second')`;
  return {
    isEnterprise,
    isTooOld: since(Prisma.sql`session.created_at`, LIFETIMES_SECONDS.enterpriseSession),
    isIdle: since(Prisma.sql`session.last_used_at`, LIFETIMES_SECONDS.idleSession),
  };
}
