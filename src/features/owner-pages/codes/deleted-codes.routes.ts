import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  listOwnQrCodes,
  parseQrCodeListFilter,
  QR_CODE_LIST_SORTS,
  type QrCodeListRow,
} from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { renderEmptyState, renderField, renderForm } from '../components.ts';
import { CursorParams, parseCursorPage, renderCursorLinks } from '../cursor-pages.ts';
import { type FormToken, getPermittedFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { formatTimeLeft } from '../format-time-left.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { CODE_ACCESS, DoneQuery, renderDone } from './code-actions.ts';
import { getCodesPath, getDeletedCodesPath, renderShortNumber, renderThumbnail } from './code-parts.ts';
import { renderSelectionBox, renderSelectionForm } from './code-selection.ts';
import { renderSelectionResult, SELECTION_PARAMS } from './selection-result.ts';

const CODES_PER_PAGE = 25;

const DeletedQuery = Type.Object({
  ...DoneQuery.properties,
  ...SELECTION_PARAMS,
  search: Type.Optional(Type.String({ maxLength: 100 })),
  ...CursorParams,
});

interface DeletedPage {
  codesPath: string;
  token: FormToken;
  timeZone: string;
  locale: Locale;
}

/** The deleted codes of an account that can be restored, last deleted first. */
export const deletedCodePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/:accountId/codes/deleted',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('QRCODE') },
      schema: { hide: true, params: createIdParamsSchema('accountId'), querystring: DeletedQuery },
    },
    async (request, reply) => {
      const { query, params } = request;
      const user = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const search = query.search?.trim() || undefined;
      // Nothing changes a deleted code: its last change is the deletion.
      const page = parseCursorPage(
        request,
        { filters: { search }, limit: CODES_PER_PAGE },
        [QR_CODE_LIST_SORTS['-updatedAt'], QR_CODE_LIST_SORTS.updatedAt],
        query,
      );
      const list = await listOwnQrCodes(services, getRequestContext(request), user, {
        filter: parseQrCodeListFilter({ ...(search && { search }), status: ['DELETED'] }, user.timeZone),
        sort: page.sort,
        range: page.range,
        included: undefined,
      });
      const { rows, ...positions } = page.toPage(list.rows);
      const path = getDeletedCodesPath(services, params);
      const codesPath = getCodesPath(services, params);
      const token = getPermittedFormToken(services, request, reply);
      const options = { codesPath, token, timeZone: user.timeZone, locale };
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.deleted.title'),
        entry: 'codes',
        body: html`${renderDone(codesPath, query, { to: undefined, token, locale })}${renderSelectionResult(codesPath, query, locale)}
<p>${t(locale, 'app.deleted.text')} <a href="${codesPath}">${t(locale, 'app.codes.all')}</a></p>
${(rows.length > 0 || search !== undefined) && renderSearch(path, search, locale)}
${
  rows.length > 0
    ? html`${renderSelectionForm(codesPath, token, { restore: t(locale, 'app.codes.restore') }, locale)}${renderDeletedCodes(rows, options)}`
    : renderEmptyState(t(locale, search === undefined ? 'app.codes.noneDeleted' : 'app.codes.none'))
}
${renderCursorLinks(path, { search }, positions, locale)}`,
      });
    },
  );
};

function renderSearch(path: string, value: string | undefined, locale: Locale): Html {
  const field = renderField(
    { name: 'search', label: t(locale, 'app.codes.search'), value, maxLength: 100 },
    [],
    locale,
  );
  return html`<form method="get" action="${path}" class="filters"><div class="search"><div>${field}</div><button class="plain">${t(locale, 'app.codes.show')}</button></div></form>`;
}

function renderDeletedCodes(rows: readonly QrCodeListRow[], page: DeletedPage): Html {
  const { locale } = page;
  return html`<table class="stack"><thead><tr><th scope="col">${t(locale, 'report.code')}</th><th scope="col">${t(locale, 'app.codes.statuses.DELETED')}</th><td></td></tr></thead><tbody>${rows.map(
    (row) => renderRow(row, page),
  )}</tbody></table>`;
}

function renderRow(row: QrCodeListRow, { codesPath, token, timeZone, locale }: DeletedPage): Html {
  const { id, kind, title, shortNumber } = row;
  const path = `${codesPath}/${id}`;
  const deletedAt = row.deletedAt ?? row.updatedAt;
  const restore = renderForm({
    action: `${path}/restore`,
    token,
    submit: t(locale, 'app.codes.restore'),
    hidden: { to: 'deleted' },
    kind: 'plain',
  });
  const date = renderMoment(deletedAt, { timeZone }, locale);
  return html`<tr><th scope="row"><div class="head">${token !== null && renderSelectionBox(row, locale)}${renderThumbnail(path, kind, undefined)}<div><bdi>${title}</bdi><div class="small">${translateQrCodeKind(locale, kind)}${
    shortNumber !== null && html` · ${renderShortNumber(shortNumber)}`
  }</div></div></div></th><td>${formatTimeLeft(deletedAt, 'deletedQrCode', locale)}<div class="small">${translateHtml(locale, 'app.deleted.on', { date })}</div></td><td>${restore}</td></tr>\n`;
}
