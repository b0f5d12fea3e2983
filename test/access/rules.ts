import type { CallerName } from './callers.ts';

/** What each caller gets of an operation, as a status. */
export type Rule = (context: CallerName) => number;

const STAFF = { SUPPORT: 'support', AUDITOR: 'auditor', ADMIN: 'admin' } as const;

/** A credential that opens nothing: none, of an ended session, of an address that was never confirmed. */
const WITHOUT: readonly CallerName[] = ['anonymous', 'ended', 'unverified'];

const refused = (context: CallerName): number | null => {
  if (WITHOUT.includes(context)) return 401;
  return context === 'suspended' ? 403 : null;
};

/** The same for everybody; a bad credential counts as none. */
export const anyone =
  (status: number): Rule =>
  () =>
    status;

/** Everybody with an account, with what is theirs. */
export const anyAccount =
  (status: number): Rule =>
  (context) =>
    refused(context) ?? status;

/** Everybody with a profile: what creates something. */
export const withProfile =
  (status: number): Rule =>
  (context) =>
    refused(context) ?? (context === 'incomplete' ? 403 : status);

/** Its owner alone; for everybody else it is not there. Roles change nothing. */
export const own =
  (status: number): Rule =>
  (context) =>
    refused(context) ?? (context === 'owner' ? status : 404);

/** The same, and only with a profile. */
export const ownWithProfile =
  (status: number): Rule =>
  (context) =>
    context === 'incomplete' ? 403 : own(status)(context);

/** These roles of staff alone. */
export const staff =
  (roles: readonly (keyof typeof STAFF)[], status: number): Rule =>
  (context) =>
    refused(context) ?? (roles.some((role) => STAFF[role] === context) ? status : 403);

/** As another rule, but for some callers. */
export const except =
  (rule: Rule, others: Partial<Record<CallerName, number>>): Rule =>
  (context) =>
    others[context] ?? rule(context);
