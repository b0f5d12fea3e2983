import { type NotificationTopic, ROLES_BY_TOPIC } from '../shared/notification-topics.ts';

/** SQL of a join with the members of an account who are notified of a topic of all codes, as `recipient`. */
export function createRecipientsJoinSql(accountIdSql: string, topic: NotificationTopic): string {
  const roles = ROLES_BY_TOPIC[topic].map((role) => `'${role}'`).join(', ');
  return `JOIN memberships AS recipient ON recipient.account_id = ${accountIdSql}
      AND '${topic}' = ANY (recipient.topics) AND recipient.role IN (${roles})
      AND NOT recipient.limited_to_folders`;
}

/** SQL of the id of a notification for a recipient. The user of a personal account gets the id itself. */
export function createRecipientIdSql(idSql: string): string {
  return `CASE WHEN recipient.user_id = recipient.account_id THEN ${idSql}
      ELSE left(${idSql}, 8) || left(encode(sha256(convert_to(${idSql} || recipient.user_id, 'UTF8')), 'hex'), 16) END`;
}
