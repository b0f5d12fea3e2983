import { listOwnSavedViews } from '../../codes/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { type CodeListFilters, parseCodeListFilters, toFilterParams } from './code-list-filters.ts';

export interface SavedView {
  id: string;
  name: string;
  filters: CodeListFilters;
}

/** Read the saved views of an account in their order; what the list cannot have any more is left out of their filters. */
export async function readSavedViews(
  { database }: Pick<OwnerPageServices, 'database'>,
  accountId: string,
): Promise<SavedView[]> {
  const rows = await listOwnSavedViews({ database }, accountId);
  return rows.map(({ id, name, query }) => {
    const texts = Object.entries(Object(query)).filter(([, value]) => typeof value === 'string');
    return { id, name, filters: parseCodeListFilters(Object.fromEntries(texts)) };
  });
}

/** The filters as a saved view stores them. */
export function toSavedViewQuery(filters: CodeListFilters) {
  const { sort, kind, ...texts } = toFilterParams(filters);
  const entries = Object.entries({ ...texts, kind, sort }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/** Whether two lists are the same. */
export function isSameList(one: CodeListFilters, other: CodeListFilters): boolean {
  const format = (filters: CodeListFilters) =>
    JSON.stringify(Object.entries(toSavedViewQuery(filters)).toSorted());
  return format(one) === format(other);
}
