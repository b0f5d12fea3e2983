import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { FIRST_PAGE_CURSOR, NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { listQrCodeHistory, type QrCodeHistoryRow, toQrCodeHistoryView } from '../../audit/index.ts';
import { getOwnQrCode } from '../../codes/index.ts';
import { renderEmptyState } from '../components.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { CodeParams, ONE_CODE_ACCESS } from './code-actions.ts';
import { getCodePath, getCodeRights, getCodeTabTitle, renderCodeTabs } from './code-parts.ts';
import { renderHistory } from './history-page.ts';

const ENTRIES_PER_PAGE = 25;

/** What happened to a code. */
export const historyPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/:accountId/codes/:id/history',
    {
      config: { access: ONE_CODE_ACCESS, audit: skipAudit('QRCODE') },
      schema: {
        hide: true,
        params: CodeParams,
        querystring: Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 1000 })) }),
      },
    },
    async (request, reply) => {
      const { routeOptions, params } = request;
      const { timeZone } = requireAuthenticatedUser(request);
      const { cursor = FIRST_PAGE_CURSOR } = request.query;
      const locale = chooseOwnerPageLocale(request);
      const code = await getOwnQrCode(database.client, params);
      const query = { limit: ENTRIES_PER_PAGE, cursor };
      const page = parseListPage({ routeOptions, params, query }, NEWEST_FIRST);
      const list = await listQrCodeHistory(database, code, page);
      const toView = (row: QrCodeHistoryRow) => toQrCodeHistoryView(row, code.accountId);
      const { data, pagination } = toListPage(page, list, toView);
      const path = getCodePath(services, params);
      const older = pagination.nextCursor !== null && `${path}/history?cursor=${pagination.nextCursor}`;
      return sendOwnerPage(services, request, reply, {
        title: code.title,
        tabTitle: getCodeTabTitle(code, locale),
        entry: 'codes',
        body: html`${renderCodeTabs(path, 'history', { ...getCodeRights(request, code), locale })}
<p class="small">${t(locale, 'app.history.text')}</p>
${data.length > 0 ? renderHistory(data, { timeZone, locale }) : renderEmptyState(t(locale, 'app.history.none'))}${
  older && html`<p><a class="act plain" href="${older}">${t(locale, 'app.settings.accesses.older')}</a></p>`
}`,
      });
    },
  );
};
