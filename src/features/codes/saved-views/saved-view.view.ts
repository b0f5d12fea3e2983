import type { Static } from 'typebox';
import type { SavedViewRow } from './saved-view.repository.ts';
import type { SavedViewQueryParameters } from './saved-view-query.ts';
import type { SavedViewSchema } from './saved-views.schemas.ts';

/** Convert a saved view to what its owner gets. */
export function toSavedViewView(row: SavedViewRow): Static<typeof SavedViewSchema> {
  const { id, name, position, version, createdAt, updatedAt } = row;
  return {
    id,
    name,
    query: row.query as SavedViewQueryParameters,
    position,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
