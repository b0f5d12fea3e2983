import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type ListPage, parseListPage } from '../../../platform/http/list-pages.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ListSort } from '../../../shared/list-cursor.ts';
import { CursorQuery } from '../../../shared/pagination.ts';
import { renderEmptyState, renderTabs } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import { renderNextLink } from './staff-list.ts';

const CASES_PER_PAGE = 25;

/** What was decided before a page is shown: its name, and the id of its case. */
export const DecidedQuery = Type.Object({
  done: Type.Optional(Type.String()),
  of: Type.Optional(Type.String()),
});

export const CaseListQuery = Type.Object({
  ...DecidedQuery.properties,
  status: Type.Optional(Type.String()),
  cursor: CursorQuery.properties.cursor,
});

/** Read which part of a list of cases is wanted: the open ones unless the address says otherwise. */
export function parseCaseList<Row>(
  request: Pick<FastifyRequest, 'routeOptions' | 'params'> & { query: Static<typeof CaseListQuery> },
  sort: ListSort<Row>,
): { isDecided: boolean; page: ListPage<Row> } {
  const { routeOptions, params } = request;
  const { status, cursor } = request.query;
  const isDecided = status === 'DECIDED';
  const query = { limit: CASES_PER_PAGE, ...(isDecided && { status }), ...(cursor && { cursor }) };
  return { isDecided, page: parseListPage({ routeOptions, params, query }, sort) };
}

interface CaseList {
  /** Of the list. */
  path: string;
  isDecided: boolean;
  /** Each an `li`. */
  items: readonly Html[];
  nextCursor: string | null;
  /** What the list of open cases says when there is none. */
  emptyText: string;
}

/** Render a list of cases with the tabs of open and decided ones. */
export function renderCaseList(
  { path, isDecided, items, nextCursor, emptyText }: CaseList,
  locale: Locale,
): Html {
  const status = isDecided ? 'DECIDED' : undefined;
  const tabs = [
    { href: path, label: t(locale, 'app.staff.cases.open'), isCurrent: !isDecided },
    {
      href: formatListPath(path, { status: 'DECIDED' }),
      label: t(locale, 'app.staff.cases.decided'),
      isCurrent: isDecided,
    },
  ];
  return html`${renderTabs(tabs, t(locale, 'app.staff.cases.filter'))}
${
  items.length > 0
    ? html`<ul class="cards rows">${items}</ul>`
    : renderEmptyState(isDecided ? t(locale, 'app.staff.cases.noneDecided') : emptyText)
}
${renderNextLink(path, { status }, nextCursor, locale)}`;
}
