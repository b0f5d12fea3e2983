import { sql } from '../../platform/sql.ts';

/** Condition on a row `notification`: its user still acts for the account that it is about. */
export const IS_READABLE = sql`(notification.account_id = notification.user_id OR EXISTS (
  SELECT FROM memberships AS membership
  WHERE membership.account_id = notification.account_id AND membership.user_id = notification.user_id))`;

/** The same for reading by Prisma: the notifications of a user in accounts that the user still acts for. */
export function createReadableFilter(userId: string) {
  return { userId, OR: [{ accountId: userId }, { account: { memberships: { some: { userId } } } }] };
}
