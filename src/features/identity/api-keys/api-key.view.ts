import type { Static } from 'typebox';
import { findLowerRole } from '../../../shared/account-roles.ts';
import type { ApiKeyRow } from './api-key.repository.ts';
import { findApiKeyStopReason, getApiKeyStatus } from './api-key-status.rules.ts';
import type { ApiKeySchema } from './api-keys.schemas.ts';

export function toApiKeyView(row: ApiKeyRow): Static<typeof ApiKeySchema> {
  const now = new Date();
  const status = getApiKeyStatus(row, now);
  const { previousExpiresAt } = row;
  const hasOverlap = status === 'ACTIVE' && previousExpiresAt !== null && previousExpiresAt > now;
  return {
    id: row.id,
    name: row.name,
    prefix: row.tokenPrefix,
    scopes: row.scopes,
    allowedNetworks: row.allowedNetworks,
    status,
    stopReason: status === 'STOPPED' ? findApiKeyStopReason(row) : null,
    role: (row.creatorRole && findLowerRole(row.role, row.creatorRole)) ?? row.role,
    createdBy: { id: row.createdBy, name: row.creatorName },
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    previousTokenExpiresAt: hasOverlap ? previousExpiresAt.toISOString() : null,
    rotatedAt: row.rotatedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
