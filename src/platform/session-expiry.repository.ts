import { Prisma } from '../generated/prisma/client.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';

/** Build SQL over aliases `session` and `person`: whether enterprise mode applies, and a session is too old or idle. */
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
