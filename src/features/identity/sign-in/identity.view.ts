import type { Static } from 'typebox';
import type { IdentitySchema } from './identities.schemas.ts';

export function toIdentityView(row: {
  id: string;
  issuer: string;
  email: string;
  createdAt: Date;
  lastUsedAt: Date;
}): Static<typeof IdentitySchema> {
  return {
    id: row.id,
    issuer: row.issuer,
    email: row.email,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
  };
}
