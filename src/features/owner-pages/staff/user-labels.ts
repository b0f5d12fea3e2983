import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';

const ROLES = {
  USER: 'app.staff.users.roles.USER',
  SUPPORT: 'app.staff.users.roles.SUPPORT',
  AUDITOR: 'app.staff.users.roles.AUDITOR',
  ADMIN: 'app.staff.users.roles.ADMIN',
} as const satisfies Record<string, MessageKey>;

const STATUSES = {
  ACTIVE: 'app.staff.users.statuses.ACTIVE',
  VERIFIED: 'app.staff.users.statuses.VERIFIED',
  PENDING_VERIFICATION: 'app.staff.users.statuses.PENDING_VERIFICATION',
  SUSPENDED: 'app.staff.users.statuses.SUSPENDED',
  DELETED: 'app.staff.users.statuses.DELETED',
} as const satisfies Record<string, MessageKey>;

export type UserStatusName = keyof typeof STATUSES;

export const translateRole = (role: keyof typeof ROLES, locale: Locale): string => t(locale, ROLES[role]);

export const translateUserStatus = (status: UserStatusName, locale: Locale): string =>
  t(locale, STATUSES[status]);

/** Format the name of a user and their organization. */
export function formatUserName(user: {
  firstName: string | null;
  lastName: string | null;
  organizationName: string | null;
}): string {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  return [name, user.organizationName].filter(Boolean).join(', ');
}
