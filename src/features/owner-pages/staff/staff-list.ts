import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type ListPage, parseListPage } from '../../../platform/http/list-pages.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ListSort } from '../../../shared/list-cursor.ts';
import { formatListPath } from '../cursor-pages.ts';

export const StaffListParams = { cursor: Type.Optional(Type.String({ maxLength: 1000 })) };

export type ListFilters = Readonly<Record<string, string | undefined>>;

const ROWS_PER_PAGE = 25;

/** Read which part of a list is wanted; the first, which knows the total, where a cursor is of another list. */
export function parseStaffListPage<Row>(
  { routeOptions, params }: Pick<FastifyRequest, 'routeOptions' | 'params'>,
  sort: ListSort<Row>,
  filters: ListFilters,
  cursor: string | undefined,
): ListPage<Row> {
  const parse = (position: { cursor: string } | { page: number }) =>
    parseListPage({ routeOptions, params, query: { ...filters, limit: ROWS_PER_PAGE, ...position } }, sort);
  try {
    return parse(cursor ? { cursor } : { page: 1 });
  } catch (error) {
    if (error instanceof ServiceError && error.statusCode < 500) return parse({ page: 1 });
    throw error;
  }
}

/** Render the way to the rows that follow; null where there are none. */
export function renderNextLink(
  path: string,
  filters: ListFilters,
  nextCursor: string | null,
  locale: Locale,
): Html | null {
  if (nextCursor === null) return null;
  const href = formatListPath(path, { ...filters, cursor: nextCursor });
  return html`<p><a class="act plain" rel="next" href="${href}">${t(locale, 'app.codes.next')}</a></p>`;
}
