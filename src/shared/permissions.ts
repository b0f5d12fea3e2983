/** What each permission allows; routes name permissions, never roles. */
export const PERMISSIONS = {
  'account:use': 'Read and change the own account, sessions and profile.',
  'qrcodes:own': 'Make, read, change and delete QR codes of the own account.',
  'scans:own': "Read scans of the own account's codes and scan while signed in.",
  'conversations:own': 'Read, answer, end and block conversations about the own codes.',
  'notifications:own': 'Read and mark the own notifications.',
  'memory-tags:own':
    'Make, read, change and delete memory tags of the own account; help with those of others who ask for it.',
  'documents:own': 'Keep, read, change and delete documents of the own account.',
  'subscription:own': 'Read packages; buy, change and cancel the own subscription.',
  'dashboard:own': 'Read the own dashboard.',
  'profiles:read-any': "Read any person's profile.",
  'scans:read-any': 'Read any scan, without its exact position.',
  'support:find': 'Find a person or a code by what somebody says of it, without content.',
  'audit:read': 'Read, export and verify the audit trail.',
  'admin:users': 'List all people.',
  'admin:change-users':
    'Suspend, restore and log out people, change roles, have activation mails sent again.',
  'admin:qrcodes': 'List all QR codes, without content.',
  'admin:analytics': 'Read counts over the whole service.',
  'admin:reports': 'Read conversations that were reported, and decide.',
  'admin:jobs': 'See the work that happens later; try again or dismiss what was given up.',
  'admin:packages': 'See what is sold, and change packages, prices and limits.',
  'admin:break-glass':
    'In an emergency, read one record of somebody for a quarter of an hour; they are told.',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export type Role = 'USER' | 'SUPPORT' | 'AUDITOR' | 'ADMIN';

export const ROLES: readonly Role[] = ['USER', 'SUPPORT', 'AUDITOR', 'ADMIN'];

/** What everybody with an account may do, with what is theirs. */
const OWN_PERMISSIONS: readonly Permission[] = [
  'account:use',
  'qrcodes:own',
  'scans:own',
  'conversations:own',
  'notifications:own',
  'memory-tags:own',
  'documents:own',
  'subscription:own',
  'dashboard:own',
];

/**
 * Who may do what: the one table of roles, each with the least it needs. Staff are people too and keep what is their
 * own; beyond that SUPPORT finds and reads no content, AUDITOR reads the trail and changes nothing, and ADMIN reads
 * content and exact positions only by breaking the glass.
 */
const PERMISSIONS_BY_ROLE: Record<Role, readonly Permission[]> = {
  USER: OWN_PERMISSIONS,
  SUPPORT: [...OWN_PERMISSIONS, 'support:find'],
  AUDITOR: [...OWN_PERMISSIONS, 'audit:read'],
  ADMIN: [
    ...OWN_PERMISSIONS,
    'audit:read',
    'profiles:read-any',
    'scans:read-any',
    'admin:users',
    'admin:change-users',
    'admin:qrcodes',
    'admin:analytics',
    'admin:reports',
    'admin:jobs',
    'admin:packages',
    'admin:break-glass',
  ],
};

/** The permissions of a role; an unknown role has none. */
export function getPermissions(role: string): readonly Permission[] {
  return Object.entries(PERMISSIONS_BY_ROLE).find(([name]) => name === role)?.[1] ?? [];
}

/** Whether a role has a permission. */
export function hasPermission(role: string, permission: Permission): boolean {
  return getPermissions(role).includes(permission);
}
