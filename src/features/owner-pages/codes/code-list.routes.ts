import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  countQrCodesByKindAndStatus,
  countQrCodesByMetadata,
  listOwnQrCodes,
  parseQrCodeListFilter,
  QR_CODE_LIST_SORTS,
} from '../../codes/index.ts';
import { renderEmptyState } from '../components.ts';
import { CursorParams, formatListPath, parseCursorPage, renderCursorLinks } from '../cursor-pages.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { CODE_ACCESS, DoneQuery, renderDone } from './code-actions.ts';
import {
  CODE_LIST_PARAMS,
  type CodeListFilters,
  getOppositeSort,
  hasOpenFilters,
  isFiltered,
  parseCodeListFilters,
  renderFilterForm,
  toFilterParams,
  toListQuery,
} from './code-list-filters.ts';
import { getCodesPath, getDeletedCodesPath } from './code-parts.ts';
import { renderSelectionForm } from './code-selection.ts';
import { renderCodeTable } from './code-table.ts';
import { findFirstPictures } from './first-pictures.ts';
import { renderSelectionResult, SELECTION_PARAMS } from './selection-result.ts';

const CODES_PER_PAGE = 25;

const ListQuery = Type.Object({
  ...DoneQuery.properties,
  ...CODE_LIST_PARAMS,
  ...SELECTION_PARAMS,
  ...CursorParams,
});

/** The codes of an account. */
export const codeListPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/:accountId/codes',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: { hide: true, params: createIdParamsSchema('accountId'), querystring: ListQuery },
    },
    async (request, reply) => {
      const { query, params } = request;
      if (query.status === 'DELETED') return reply.redirect(getDeletedCodesPath(services, params), 303);
      const user = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const filters = parseCodeListFilters(query);
      const { sort } = filters;
      const filter = parseQrCodeListFilter(toListQuery(filters), user.timeZone);
      const address = toFilterParams(filters);
      const page = parseCursorPage(
        request,
        { filters: address, limit: CODES_PER_PAGE },
        [QR_CODE_LIST_SORTS[sort], QR_CODE_LIST_SORTS[getOppositeSort(sort)]],
        query,
      );
      const [list, { kinds, statuses }, metadata] = await Promise.all([
        listOwnQrCodes(services, getRequestContext(request), user, {
          filter,
          sort: page.sort,
          range: page.range,
          included: undefined,
        }),
        services.database.read(({ pool }) => countQrCodesByKindAndStatus(pool, user.id, filter)),
        hasOpenFilters(filters)
          ? services.database.read(({ pool }) => countQrCodesByMetadata(pool, user.id, filter))
          : [],
      ]);
      const { rows, ...positions } = page.toPage(list.rows);
      const path = getCodesPath(services, params);
      const token = getFormToken(services, request, reply);
      const isFirst = page.range.after === undefined;
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.codes.title'),
        entry: 'codes',
        body: html`${renderDone(path, query, { to: undefined, token, locale })}${renderSelectionResult(path, query, locale)}
<p class="actions"><a class="act" href="${path}/new">${t(locale, 'app.codes.new')}</a><a class="act plain" href="${getAccountPath(services, params.accountId)}/imports">${t(locale, 'app.imports.entry')}</a>${rows.length > 0 && html`<a class="act plain" href="${formatListPath(`${getAccountPath(services, params.accountId)}/print`, address)}">${t(locale, 'app.sheets.title')}</a>`}<a class="act plain" href="${formatListPath(`${path}/export`, { kind: filters.kind })}" download>${t(locale, 'app.staff.audit.csv')}</a><a class="act plain" href="${getAccountPath(services, params.accountId)}/reports">${t(locale, 'app.reports.title')}</a><a class="act plain" href="${getDeletedCodesPath(services, params)}">${t(locale, 'app.deleted.title')}</a></p>
${renderFilterForm(path, filters, { kinds, statuses, metadata }, locale)}
${isFirst && rows.length > 0 && html`<p class="small" role="status">${t(locale, 'app.codes.count', { count: list.total })}</p>`}
${
  rows.length > 0
    ? html`${isFirst && list.total > rows.length && html`<p><a href="${formatListPath(`${path}/matching`, address)}">${t(locale, 'app.codes.matching.link', { count: list.total })}</a></p>`}${renderSelectionForm(path, token, getSelectionButtons(locale), locale)}${renderCodeTable(
        path,
        rows,
        {
          pictures: await findFirstPictures(services, rows),
          timeZone: user.timeZone,
          locale,
        },
      )}`
    : renderNothing(path, filters, locale)
}
${renderCursorLinks(path, address, positions, locale)}`,
      });
    },
  );
};

function getSelectionButtons(locale: Locale) {
  return {
    print: t(locale, 'app.sheets.title'),
    pause: t(locale, 'app.code.pause'),
    resume: t(locale, 'app.code.resume'),
    edit: t(locale, 'app.codes.selected.change'),
    delete: t(locale, 'app.code.deleteTitle'),
  };
}

function renderNothing(path: string, filters: CodeListFilters, locale: Locale): Html {
  if (!isFiltered(filters))
    return renderEmptyState(
      t(locale, 'app.home.empty'),
      html`<p><a class="act" href="${path}/new">${t(locale, 'app.codes.new')}</a></p>`,
    );
  return renderEmptyState(
    t(locale, 'app.codes.none'),
    html`<p><a href="${path}">${t(locale, 'app.codes.clear')}</a></p>`,
  );
}
