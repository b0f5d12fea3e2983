import type { FastifyRequest } from 'fastify';
import { hasAccountRolePermission, type Permission } from '../../permissions.ts';
import { hasAccountPermission } from '../../platform/route-access.ts';
import type { AccountRole } from '../../shared/account-roles.ts';
import { getAccountPath, type OwnerPageServices } from './owner-page-services.ts';

/** What pages know how to keep to the folders of a limited member. */
const LIMITED_PERMISSIONS: readonly Permission[] = ['qrcodes:own', 'scans:own'];

/** Whether the reader of a page may open, with GET, or change what a permission covers in the account of the page. */
export function canUse(
  { user }: Pick<FastifyRequest, 'user'>,
  permission: Permission,
  method: 'GET' | 'POST',
): boolean {
  if (user?.account?.folderIds && !LIMITED_PERMISSIONS.includes(permission)) return false;
  return user !== null && hasAccountPermission(user, permission, method, { limitedTo: 'FILTERED' });
}

/** The first that a role may read is what an account opens with. */
const ENTRY_PAGES = [
  { path: '', permission: 'dashboard:own' },
  { path: '/settings/plan', permission: 'subscription:own' },
] as const satisfies readonly { path: string; permission: Permission }[];

/** Get the page that an account opens with for a member. */
export function getAccountEntryPath(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  { id, role }: { id: string; role: AccountRole },
): string {
  const page = ENTRY_PAGES.find(({ permission }) => hasAccountRolePermission(role, permission, 'GET'));
  return `${getAccountPath(services, id)}${page?.path ?? ''}`;
}
