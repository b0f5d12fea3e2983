import { type AccountRole, findLowerRole } from '../../../shared/account-roles.ts';

export const API_KEY_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED', 'STOPPED'] as const;

export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

export const API_KEY_STOP_REASONS = ['CREATOR_LEFT', 'CREATOR_SUSPENDED', 'CREATOR_DEMOTED'] as const;

export type ApiKeyStopReason = (typeof API_KEY_STOP_REASONS)[number];

interface ApiKeyState {
  revokedAt: Date | null;
  expiresAt: Date | null;
  role: AccountRole;
  creatorRole: AccountRole | null;
  creatorStatus: string;
}

export function getApiKeyStatus(key: ApiKeyState, now: Date): ApiKeyStatus {
  if (key.revokedAt) return 'REVOKED';
  if (key.expiresAt && key.expiresAt <= now) return 'EXPIRED';
  return findApiKeyStopReason(key) ? 'STOPPED' : 'ACTIVE';
}

/** Find why a key does not work although nobody ended it; null if it does. */
export function findApiKeyStopReason({
  role,
  creatorRole,
  creatorStatus,
}: ApiKeyState): ApiKeyStopReason | null {
  if (creatorRole === null) return 'CREATOR_LEFT';
  if (creatorStatus === 'SUSPENDED') return 'CREATOR_SUSPENDED';
  return findLowerRole(role, creatorRole) === null ? 'CREATOR_DEMOTED' : null;
}
