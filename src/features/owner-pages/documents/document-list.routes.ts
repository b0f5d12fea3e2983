import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import {
  DOCUMENT_KINDS,
  DOCUMENT_LIST_SORTS,
  type DocumentListRow,
  LAST_EXPIRING_FIRST,
  listDocumentsWithAudit,
} from '../../documents/index.ts';
import { renderEmptyState, renderField, renderSelect } from '../components.ts';
import { CursorParams, parseCursorPage, renderCursorLinks } from '../cursor-pages.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  DOCUMENT_PAGE_CONFIG,
  DoneQuery,
  getDocumentsPath,
  renderDocumentFacts,
  renderListDone,
  renderListTabs,
  translateDocumentKind,
} from './document-parts.ts';

const DOCUMENTS_PER_PAGE = 25;

/** Each with the one whose order is the same, backwards. */
const SORTS = {
  '-createdAt': ['app.codes.sorts.newest', DOCUMENT_LIST_SORTS.createdAt],
  '-updatedAt': ['app.codes.sorts.changed', DOCUMENT_LIST_SORTS.updatedAt],
  title: ['app.codes.sorts.title', DOCUMENT_LIST_SORTS['-title']],
  expiresOn: ['app.documents.sortExpires', LAST_EXPIRING_FIRST],
} as const satisfies Record<string, readonly [MessageKey, unknown]>;

type SortName = keyof typeof SORTS;

interface Filters {
  search: string | undefined;
  kind: (typeof DOCUMENT_KINDS)[number] | undefined;
  sort: SortName;
}

/** The documents of an account. */
export const documentListPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/:accountId/documents',
    {
      config: DOCUMENT_PAGE_CONFIG,
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId'),
        querystring: Type.Object({
          ...DoneQuery.properties,
          search: Type.Optional(Type.String({ maxLength: 100 })),
          kind: Type.Optional(Type.String()),
          sort: Type.Optional(Type.String()),
          ...CursorParams,
        }),
      },
    },
    async (request, reply) => {
      const { query, params } = request;
      const locale = chooseOwnerPageLocale(request);
      const filters = parseFilters(query);
      const { search, kind, sort } = filters;
      const address = { search, kind, sort: sort === '-createdAt' ? undefined : sort };
      const page = parseCursorPage(
        request,
        { filters: address, limit: DOCUMENTS_PER_PAGE },
        [DOCUMENT_LIST_SORTS[sort], SORTS[sort][1]],
        query,
      );
      const list = await listDocumentsWithAudit(
        services.database,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        { search, kinds: kind && [kind] },
        page.sort,
        page.range,
      );
      const { rows, ...positions } = page.toPage(list.rows);
      const path = getDocumentsPath(services, params);
      const isFirst = page.range.after === undefined;
      const token = getPermittedFormToken(services, request, reply);
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.documents.title'),
        entry: 'documents',
        body: html`${renderListTabs(path, 'own', locale)}${renderListDone(path, query, token, locale)}
${token !== null && html`<p><a class="act" href="${path}/new">${t(locale, 'app.documents.add')}</a></p>`}
${(rows.length > 0 || search || kind) && renderFilterForm(path, filters, locale)}
${isFirst && rows.length > 0 && html`<p class="small" role="status">${t(locale, 'app.documents.count', { count: list.total })}</p>`}
${rows.length > 0 ? renderList(path, rows, { canShare: token !== null, locale }) : renderNothing(path, filters, { canAdd: token !== null, locale })}
${renderCursorLinks(path, address, positions, locale)}
<p><a href="${path}/deleted">${t(locale, 'app.documents.deletedTitle')}</a></p>`,
      });
    },
  );
};

/** What an address cannot have is as if it were missing. */
function parseFilters(query: { search?: string; kind?: string; sort?: string }): Filters {
  const { sort = '' } = query;
  return {
    search: query.search?.trim().normalize('NFC') || undefined,
    kind: DOCUMENT_KINDS.find((name) => name === query.kind),
    sort: isKeyOf(SORTS, sort) ? sort : '-createdAt',
  };
}

function renderFilterForm(path: string, { search, kind, sort }: Filters, locale: Locale): Html {
  const isOpen = kind !== undefined || sort !== '-createdAt';
  const kinds = DOCUMENT_KINDS.map((name) => ({ value: name, label: translateDocumentKind(name, locale) }));
  const sorts = Object.entries(SORTS).map(([value, [label]]) => ({ value, label: t(locale, label) }));
  return html`<form method="get" action="${path}" class="filters"><div class="search"><div>${renderField(
    { name: 'search', label: t(locale, 'app.documents.search'), value: search, maxLength: 100 },
    [],
    locale,
  )}</div><button class="plain">${t(locale, 'app.codes.show')}</button></div><details${isOpen && html` open`}><summary>${t(locale, 'app.codes.filter')}</summary><div><div>${renderSelect(
    {
      name: 'kind',
      label: t(locale, 'app.codes.kind'),
      value: kind,
      script: 'submit-on-change',
      options: [{ value: '', label: t(locale, 'app.codes.anyKind') }, ...kinds],
    },
  )}</div><div>${renderSelect({
    name: 'sort',
    label: t(locale, 'app.codes.sort'),
    value: sort,
    script: 'submit-on-change',
    options: sorts,
  })}</div></div></details></form>`;
}

function renderList(
  path: string,
  rows: readonly DocumentListRow[],
  { canShare, locale }: { canShare: boolean; locale: Locale },
): Html {
  const items = rows.map(
    (row) => html`<li><div><h2><a href="${path}/${row.id}"><bdi>${row.title}</bdi></a></h2>
<p class="small">${renderDocumentFacts(row, locale)}${row.shareCount > 0 && html` · ${t(locale, 'app.documents.isShared', { count: row.shareCount })}`}</p></div>
${canShare && html`<a class="act plain" href="${path}/${row.id}#share">${t(locale, 'app.documents.share')}<span class="visually-hidden"> <bdi>${row.title}</bdi></span></a>`}</li>
`,
  );
  return html`<ul class="cards rows">${items}</ul>`;
}

function renderNothing(
  path: string,
  { search, kind }: Filters,
  { canAdd, locale }: { canAdd: boolean; locale: Locale },
): Html {
  if (!search && !kind) return renderEmptyState(t(locale, canAdd ? 'app.documents.empty' : 'app.nothingYet'));
  return renderEmptyState(
    t(locale, 'app.documents.none'),
    html`<p><a href="${path}">${t(locale, 'app.codes.clear')}</a></p>`,
  );
}
