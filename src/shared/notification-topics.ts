import type { AccountRole } from './account-roles.ts';

/** What members of an account are notified of. */
export const NOTIFICATION_TOPICS = [
  'SCANS',
  'MESSAGES',
  'DOCUMENTS',
  'CODES',
  'BILLING',
  'DEVELOPERS',
] as const;

export type NotificationTopic = (typeof NOTIFICATION_TOPICS)[number];

const CONTENT_ROLES = ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER'] as const;

/** Roles that may read what a topic is about: others are not notified of it, whatever their membership says. */
export const ROLES_BY_TOPIC: Readonly<Record<NotificationTopic, readonly AccountRole[]>> = {
  SCANS: CONTENT_ROLES,
  MESSAGES: CONTENT_ROLES,
  DOCUMENTS: ['OWNER', 'MANAGER', 'EDITOR', 'VIEWER'],
  CODES: CONTENT_ROLES,
  BILLING: ['OWNER', 'MANAGER', 'BILLING'],
  DEVELOPERS: ['OWNER', 'MANAGER'],
};
