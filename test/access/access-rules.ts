import { type CallerName, UNAUTHENTICATED_CALLERS } from './callers.ts';

/** The expected status for each caller. */
export type AccessRule = (context: CallerName) => number;

const STAFF_CALLERS = { SUPPORT: 'support', AUDITOR: 'auditor', ADMIN: 'admin' } as const;

const getRefusalStatus = (context: CallerName): number | null => {
  if (UNAUTHENTICATED_CALLERS.includes(context)) return 401;
  return context === 'suspended' ? 403 : null;
};

/** An invalid credential is treated as none. */
export const allowAnyone =
  (status: number): AccessRule =>
  () =>
    status;

/** All accounts, for their own resources. */
export const allowAnyUser =
  (status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) ?? status;

/** All accounts with a profile: for operations that create something. */
export const allowUsersWithProfile =
  (status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) ?? (context === 'incomplete' ? 403 : status);

/** Only the owner; 404 for all others, whatever their role. */
export const allowOwner =
  (status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) ?? (context === 'owner' ? status : 404);

/** Only the owner, and only with a profile. */
export const allowOwnerWithProfile =
  (status: number): AccessRule =>
  (context) =>
    context === 'incomplete' ? 403 : allowOwner(status)(context);

/** Only these roles of staff. */
export const allowStaff =
  (roles: readonly (keyof typeof STAFF_CALLERS)[], status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) ?? (roles.some((role) => STAFF_CALLERS[role] === context) ? status : 403);

/** Override another rule for some callers. */
export const allowExcept =
  (rule: AccessRule, others: Partial<Record<CallerName, number>>): AccessRule =>
  (context) =>
    others[context] ?? rule(context);

/** A page of an account: whoever is not signed in is led to the sign-in, and the page of somebody else is none. */
export const allowOnOwnPage =
  (status: number): AccessRule =>
  (context) => {
    const refusal = getRefusalStatus(context);
    if (refusal === 401) return 303;
    return refusal ?? (context === 'owner' ? status : 404);
  };

/** A form of such a page: whoever is not signed in gets the page of the sign-in with it. */
export const allowFormOnOwnPage =
  (status: number): AccessRule =>
  (context) => {
    const rule = allowOnOwnPage(status)(context);
    return rule === 303 && getRefusalStatus(context) === 401 ? 401 : rule;
  };

/** A page of staff: whoever is not signed in is led to the sign-in, and for other roles there is none. */
export const allowOnStaffPage =
  (roles: readonly (keyof typeof STAFF_CALLERS)[], status: number): AccessRule =>
  (context) => {
    const expected = allowStaff(roles, status)(context);
    if (getRefusalStatus(context) === 401) return 303;
    return expected === 403 && context !== 'suspended' ? 404 : expected;
  };

/** A form of such a page: whoever is not signed in gets the page of the sign-in with it. */
export const allowFormOnStaffPage =
  (roles: readonly (keyof typeof STAFF_CALLERS)[], status: number): AccessRule =>
  (context) =>
    getRefusalStatus(context) === 401 ? 401 : allowOnStaffPage(roles, status)(context);
