import type { Prisma } from '../generated/prisma/client.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import { sql } from './sql.ts';

/**
 * Build SQL over the alias `person`: whether enterprise mode applies, and a second factor is missing that it or, with
 * `staffMustEnroll`, a role requires.
 */
export function buildEnterpriseConditions(enforcedGlobally: boolean, staffMustEnroll = false) {
  const isEnterprise = sql`(person.enterprise_mode OR ${enforcedGlobally})`;
  return { isEnterprise, mustEnroll: buildSecondFactorCondition(isEnterprise, staffMustEnroll) };
}

/** SQL over the alias `account`: whether it requires a second factor of whoever acts for it. */
export const ACCOUNT_REQUIRES_SECOND_FACTOR = sql`(account.enterprise_mode OR account.second_factor_required)`;

/** SQL over aliases `session` and `account`: whether the login is too long ago to act for it. */
export const IS_SESSION_TOO_OLD_FOR_ACCOUNT = sql`coalesce(
  session.created_at <= now() - make_interval(hours => account.max_session_hours), false)`;

/** Build SQL over the alias `person`: whether a second factor is missing that enterprise mode or a role requires. */
export function buildSecondFactorCondition(isEnterprise: Prisma.Sql, staffMustEnroll: boolean): Prisma.Sql {
  return sql`(${isEnterprise} OR (${staffMustEnroll}::boolean AND person.role <> 'USER')) AND NOT EXISTS (
             SELECT FROM second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL)`;
}

/** Build SQL over aliases `session` and `person`: whether enterprise mode applies, and a session is too old or idle. */
export function buildSessionExpiryConditions(enforcedGlobally: boolean) {
  const { isEnterprise } = buildEnterpriseConditions(enforcedGlobally);
  const isOlder = (column: Prisma.Sql, seconds: number) =>
    sql`${column} <= now() - ${seconds}::int * interval '1 second'`;
  const openedAt = sql`session.created_at`;
  return {
    isEnterprise,
    isTooOld: sql`(${isOlder(openedAt, LIFETIMES_SECONDS.maxSession)}
      OR (${isEnterprise} AND ${isOlder(openedAt, LIFETIMES_SECONDS.enterpriseSession)}))`,
    isIdle: sql`(${isEnterprise} AND ${isOlder(sql`session.last_used_at`, LIFETIMES_SECONDS.idleSession)})`,
  };
}
