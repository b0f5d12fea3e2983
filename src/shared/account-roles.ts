/** What a member may do in an account, the one that may do most first. */
export const ACCOUNT_ROLES = ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const;

export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** Change codes, documents and memory tags. */
export const EDITING_ROLES: readonly AccountRole[] = ['OWNER', 'MANAGER', 'EDITOR'];

/** Answer finders. Whoever only reads leaves messages unread for the others. */
export const ANSWERING_ROLES: readonly AccountRole[] = [...EDITING_ROLES, 'RESPONDER'];

/**
 * Find the role that allows no more than either of two. Null for two of RESPONDER, VIEWER and BILLING, each of which allows
 * what the others do not.
 */
export function findLowerRole(one: AccountRole, other: AccountRole): AccountRole | null {
  if (one === other) return one;
  const [first, second] = [one, other].map((role) => {
    const rank = EDITING_ROLES.indexOf(role);
    return rank < 0 ? EDITING_ROLES.length : rank;
  });
  if (first === undefined || second === undefined || first === second) return null;
  return first > second ? one : other;
}
