import { hasRolePermission, type Permission } from '../../../permissions.ts';
import type { Db } from '../../../platform/database.ts';
import type { MessageKey } from '../../../shared/i18n/translate.ts';
import { countOpenConversationReports } from '../../conversations/index.ts';
import { countOpenAppeals, countOpenReportedCodes } from '../../moderation/index.ts';

interface Definition {
  /** Also its path below `/app/staff`. */
  name: string;
  label: MessageKey;
  /** What its pages need: that of the API's operations. */
  permission: Permission;
  /** Count what waits for a decision; null where nothing does. */
  countOpen: ((db: Db) => Promise<number>) | null;
}

const STAFF_ENTRIES = [
  {
    name: 'reports',
    label: 'app.staff.reports.title',
    permission: 'admin:moderation',
    countOpen: countOpenReportedCodes,
  },
  {
    name: 'appeals',
    label: 'app.staff.appeals.title',
    permission: 'admin:moderation',
    countOpen: countOpenAppeals,
  },
  {
    name: 'conversation-reports',
    label: 'app.staff.conversations.title',
    permission: 'admin:reports',
    countOpen: countOpenConversationReports,
  },
  { name: 'users', label: 'app.staff.users.title', permission: 'admin:users', countOpen: null },
  { name: 'find', label: 'app.staff.users.title', permission: 'support:find', countOpen: null },
  { name: 'packages', label: 'app.plan.packages', permission: 'admin:packages', countOpen: null },
  { name: 'jobs', label: 'app.staff.jobs.title', permission: 'admin:jobs', countOpen: null },
  { name: 'audit', label: 'app.staff.audit.title', permission: 'audit:read', countOpen: null },
  { name: 'break-glass', label: 'app.staff.breakGlass.title', permission: 'audit:read', countOpen: null },
] as const satisfies readonly Definition[];

export type StaffEntry = (typeof STAFF_ENTRIES)[number];

/** List the pages of staff that a role may see; none for users. */
export function listStaffEntries(role: string): readonly StaffEntry[] {
  return STAFF_ENTRIES.filter(({ permission }) => hasRolePermission(role, permission));
}

/** Get the path of the pages of staff. @param pagesPath such as `/app` */
export function getStaffPath(pagesPath: string, entry?: StaffEntry['name']): string {
  return entry === undefined ? `${pagesPath}/staff` : `${pagesPath}/staff/${entry}`;
}
