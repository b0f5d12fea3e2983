import { Prisma } from '../../generated/prisma/client.ts';
import type { AccountRole } from '../../shared/account-roles.ts';
import { NOTIFICATION_TOPICS, ROLES_BY_TOPIC } from '../../shared/notification-topics.ts';
import { NOTIFICATION_KIND_BY_EVENT } from './notification-kinds.rules.ts';

/** The events that the same roles of an organization may read. One without a topic is of a user alone. */
const READERS_OF_EVENTS: readonly { roles: AccountRole[]; events: string[] }[] = [
  ...new Set(NOTIFICATION_TOPICS.map((topic) => ROLES_BY_TOPIC[topic])),
].map((roles) => ({
  roles: [...roles],
  events: Object.entries(NOTIFICATION_KIND_BY_EVENT)
    .filter(([, { topic }]) => topic !== null && ROLES_BY_TOPIC[topic] === roles)
    .map(([event]) => event),
}));

/**
 * SQL of the condition that the user of a notification may still read it: their own, or of an account by their role in it and
 * with the second factor that it requires.
 */
export function createReadableSql(notification: 'notification' | 'notifications'): string {
  return createReadableByRoleSql(
    notification,
    `AND (NOT (account.enterprise_mode OR account.second_factor_required) OR EXISTS (
      SELECT FROM second_factors AS factor
      WHERE factor.user_id = membership.user_id AND factor.confirmed_at IS NOT NULL))`,
  );
}

function createReadableByRoleSql(notification: string, condition = ''): string {
  const isOfRole = READERS_OF_EVENTS.map(
    ({ roles, events }) =>
      `membership.role IN (${toSqlList(roles)}) AND ${notification}.event IN (${toSqlList(events)})`,
  ).join(' OR ');
  return `(${notification}.account_id = ${notification}.user_id OR EXISTS (
    SELECT FROM memberships AS membership JOIN accounts AS account ON account.id = membership.account_id
    WHERE membership.account_id = ${notification}.account_id AND membership.user_id = ${notification}.user_id
      AND NOT membership.limited_to_folders
      AND (${isOfRole}) ${condition}))`;
}

/** The condition of `createReadableSql` on a row `notification`. */
export const IS_READABLE = Prisma.raw(createReadableSql('notification'));

/** The same without the second factor: for whoever is asked for it elsewhere. */
export const IS_READABLE_BY_ROLE = Prisma.raw(createReadableByRoleSql('notification'));

/** The condition of `createReadableSql` for reading by Prisma. */
export function createReadableFilter(userId: string) {
  const isEnrolled = [
    { account: { enterpriseMode: false, secondFactorRequired: false } },
    { user: { secondFactor: { confirmedAt: { not: null } } } },
  ];
  const ofRole = READERS_OF_EVENTS.map(({ roles, events }) => ({
    event: { in: events },
    account: { memberships: { some: { userId, limitedToFolders: false, role: { in: roles } } } },
    OR: isEnrolled,
  }));
  return { userId, OR: [{ accountId: userId }, ...ofRole] };
}

function toSqlList(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
