import type { Static } from 'typebox';
import type { OwnerPhoneRow } from './owner-phone.repository.ts';
import type { OwnerPhone } from './owner-phones.schemas.ts';

export function toOwnerPhoneView(row: OwnerPhoneRow): Static<typeof OwnerPhone> {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastScannedOn: row.lastScannedOn?.toISOString().slice(0, 10) ?? null,
    expiresAt: row.expiresAt.toISOString(),
  };
}
