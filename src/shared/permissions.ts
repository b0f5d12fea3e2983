/** What each permission allows; routes name permissions, never roles. */
export const PERMISSIONS = {
  'account:use': 'Read and change the own account, sessions and profile.',
  'qrcodes:own': 'Make, read, change and delete QR codes of the own account.',
  'scans:own': "Read scans of the own account's codes and scan while signed in.",
  'notifications:own': 'Read and mark the own notifications.',
  'memory-tags:own': 'Make, read, change and delete memory tags of the own account.',
  'subscription:own': 'Read packages and the own subscription.',
  'dashboard:own': 'Read the own dashboard.',
  'profiles:read-any': "Read any person's profile.",
  'scans:read-any': 'Read any scan, without its exact position.',
  'admin:users': 'List all people.',
  'admin:qrcodes': 'List all QR codes, without content.',
  'admin:analytics': 'Read counts over the whole service.',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export type Role = 'USER' | 'SUPPORT' | 'AUDITOR' | 'ADMIN';

export const ROLES: readonly Role[] = ['USER', 'SUPPORT', 'AUDITOR', 'ADMIN'];

const OWN: readonly Permission[] = [
  'account:use',
  'qrcodes:own',
  'scans:own',
  'notifications:own',
  'memory-tags:own',
  'subscription:own',
  'dashboard:own',
];

const GRANTED: Record<Role, readonly Permission[]> = {
  USER: OWN,
  SUPPORT: OWN,
  AUDITOR: OWN,
  ADMIN: [...OWN, 'profiles:read-any', 'scans:read-any', 'admin:users', 'admin:qrcodes', 'admin:analytics'],
};

/** The permissions of a role; an unknown role has none. */
export function permissionsOf(role: string): readonly Permission[] {
  return Object.entries(GRANTED).find(([name]) => name === role)?.[1] ?? [];
}

/** Whether a role has a permission. */
export function mayUse(role: string, permission: Permission): boolean {
  return permissionsOf(role).includes(permission);
}
