import type { Static } from 'typebox';
import type { OrganizationRow } from './organization.repository.ts';
import type { OrganizationSchema } from './organizations.schemas.ts';

/** Convert an organization to what a member gets. */
export function toOrganizationView(row: OrganizationRow): Static<typeof OrganizationSchema> {
  const { id, name, status, role, language, timeZone, deleteAfter, version, createdAt, updatedAt } = row;
  return {
    id,
    name,
    status,
    role,
    language,
    timeZone,
    deleteAfter: deleteAfter?.toISOString() ?? null,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
