import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type ListPage, parseListPage } from '../../platform/http/list-pages.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { encodeListCursor, type ListSort } from '../../shared/list-cursor.ts';

/** A page of a list begins after a row, or ends before one; without either it is the first, which knows the total. */
export const CursorParams = {
  after: Type.Optional(Type.String({ maxLength: 1000 })),
  before: Type.Optional(Type.String({ maxLength: 1000 })),
};

export interface CursorPage<Row, Sort extends ListSort<Row>> {
  range: ListPage<Row>;
  sort: Sort;
  /** Put the rows of the range in the order of the list, with the ways to its other pages. */
  toPage<Listed extends Row>(
    rows: readonly Listed[],
  ): { rows: Listed[]; after: string | null; before: string | null };
}

/** Read which page of a list is wanted. `sort` has its opposite, since the page before a row is read backwards. */
export function parseCursorPage<Row, Sort extends ListSort<Row>>(
  request: Pick<FastifyRequest, 'routeOptions' | 'params'>,
  { filters, limit }: { filters: Readonly<Record<string, string | undefined>>; limit: number },
  [sort, opposite]: readonly [Sort, Sort],
  { after, before }: { after?: string | undefined; before?: string | undefined },
): CursorPage<Row, Sort> {
  const { routeOptions, params } = request;
  const parse = (one: Sort, position: { cursor?: string; page?: number }): ListPage<Row> =>
    parseListPage({ routeOptions, params, query: { ...filters, limit, ...position } }, one);
  const first = parse(sort, { page: 1 });
  const backwards = parse(opposite, { page: 1 });
  const range = readRange();
  const isBackwards = range.sort === opposite;
  return {
    range,
    sort: isBackwards ? opposite : sort,
    toPage(rows) {
      const hasMore = rows.length > limit;
      const listed = isBackwards ? rows.slice(0, limit).toReversed() : rows.slice(0, limit);
      const [top, bottom] = [listed[0], listed.at(-1)];
      const isFirst = range.after === undefined;
      const hasNext = isBackwards || hasMore;
      const hasPrevious = isBackwards ? hasMore : !isFirst;
      return {
        rows: listed,
        after:
          hasNext && bottom ? encodeListCursor({ scope: first.scope, ...sort.getPosition(bottom) }) : null,
        before:
          hasPrevious && top
            ? encodeListCursor({ scope: backwards.scope, ...opposite.getPosition(top) })
            : null,
      };
    },
  };

  /** The first page where a cursor is of another list, such as one with other filters. */
  function readRange(): ListPage<Row> {
    try {
      if (after) return parse(sort, { cursor: after });
      if (before) return parse(opposite, { cursor: before });
      return first;
    } catch (error) {
      if (error instanceof ServiceError && error.statusCode < 500) return first;
      throw error;
    }
  }
}

/** Render the ways to the pages before and after; null where there are none. */
export function renderCursorLinks(
  path: string,
  filters: Readonly<Record<string, string | undefined>>,
  { after, before }: { after: string | null; before: string | null },
  locale: Locale,
): Html | null {
  if (after === null && before === null) return null;
  const link = (position: Record<string, string>, label: string, rel: string) =>
    html`<a class="act plain" rel="${rel}" href="${formatListPath(path, { ...filters, ...position })}">${label}</a>`;
  return html`<nav class="actions" aria-label="${t(locale, 'app.codes.pages')}">${
    before !== null && link({ before }, t(locale, 'app.codes.previous'), 'prev')
  }${after !== null && link({ after }, t(locale, 'app.codes.next'), 'next')}</nav>`;
}

/** Format the address of a list with its filters; those without a value are left out. */
export function formatListPath(path: string, filters: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}
