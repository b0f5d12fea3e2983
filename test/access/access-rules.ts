import type { CallerName } from './callers.ts';

/** What each caller gets of an operation, as a status. */
export type AccessRule = (context: CallerName) => number;

const STAFF_CALLERS = { SUPPORT: 'support', AUDITOR: 'auditor', ADMIN: 'admin' } as const;

/** A credential that opens nothing: none, of an ended session, of an address that was never confirmed. */
const UNAUTHENTICATED_CALLERS: readonly CallerName[] = ['anonymous', 'ended', 'unverified'];

const getRefusalStatus = (context: CallerName): number | null => {
  if (UNAUTHENTICATED_CALLERS.includes(context)) return 401;
  return context === 'suspended' ? 403 : null;
};

/** The same for everybody; a bad credential counts as none. */
export const allowAnyone =
  (status: number): AccessRule =>
  () =>
    status;

/** Everybody with an account, with what is theirs. */
export const allowAnyUser =
  (status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) ?? status;

/** Everybody with a profile: what creates something. */
export const allowUsersWithProfile =
  (status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) ?? (context === 'incomplete' ? 403 : status);

/** Its owner alone; for everybody else it is not there. Roles change nothing. */
export const allowOwner =
  (status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) ?? (context === 'owner' ? status : 404);

/** The same, and only with a profile. */
export const allowOwnerWithProfile =
  (status: number): AccessRule =>
  (context) =>
    context === 'incomplete' ? 403 : allowOwner(status)(context);

/** These roles of staff alone. */
export const allowStaff =
  (roles: readonly (keyof typeof STAFF_CALLERS)[], status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) ?? (roles.some((role) => STAFF_CALLERS[role] === context) ? status : 403);

/** As another rule, but for some callers. */
export const allowExcept =
  (rule: AccessRule, others: Partial<Record<CallerName, number>>): AccessRule =>
  (context) =>
    others[context] ?? rule(context);
