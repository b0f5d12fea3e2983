/** What a member may do in an account, the one that may do most first. */
export const ACCOUNT_ROLES = ['OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const;

export type AccountRole = (typeof ACCOUNT_ROLES)[number];
