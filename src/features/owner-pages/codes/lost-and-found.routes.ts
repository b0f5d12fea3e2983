import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  listOwnQrCodes,
  parseQrCodeListFilter,
  QR_CODE_LIST_SORTS,
  type QrCodeListRow,
} from '../../codes/index.ts';
import type { PictureRow } from '../../files/index.ts';
import { renderEmptyState, renderField, renderForm } from '../components.ts';
import { type FormToken, getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { CODE_ACCESS } from './code-actions.ts';
import { getCodePath, isLosable, LOSABLE_KINDS, renderKindAndNumber, renderThumbnail } from './code-parts.ts';
import { findFirstPictures } from './first-pictures.ts';
import { listLostPresets } from './lost-presets.ts';

/** More are found by their names. */
const MAX_SHOWN_CODES = 25;

/** One tap from every page: what is lost, and what can be reported as lost with one more. */
export const lostAndFoundPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/:accountId/lost',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId'),
        querystring: Type.Object({ search: Type.Optional(Type.String({ maxLength: 100 })) }),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const locale = chooseOwnerPageLocale(request);
      const search = query.search?.trim() || undefined;
      const [lost, others] = await Promise.all([
        listCodes(request, { search, status: ['LOST'] }),
        listCodes(request, { search, kind: [...LOSABLE_KINDS], status: ['ACTIVE', 'PAUSED'] }),
      ]);
      const losable = others.rows.filter((row) => isLosable(row));
      const list = {
        path: (row: QrCodeListRow) => getCodePath(services, { ...params, id: row.id }),
        pictures: await findFirstPictures(services, params.accountId, [...lost.rows, ...losable]),
        token: getPermittedFormToken(services, request, reply),
        locale,
      };
      const hasMore = lost.total + others.total > lost.rows.length + others.rows.length;
      const path = `${getAccountPath(services, params.accountId)}/lost`;
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.lost.title'),
        entry: 'lost',
        body: html`${(search !== undefined || hasMore) && renderSearch(path, search, locale)}${
          lost.rows.length > 0 &&
          html`<section><h2>${t(locale, 'app.codes.statuses.LOST')}</h2><ul class="cards">${lost.rows.map((row) => renderLost(list, row))}</ul></section>`
        }${
          list.token !== null &&
          html`<section><h2>${t(locale, 'app.lost.choose')}</h2>${
            losable.length > 0
              ? html`<p>${t(locale, 'app.lost.chooseText')}</p><ul class="cards">${losable.map((row) => renderLosable(list, row))}</ul>`
              : renderEmptyState(t(locale, search === undefined ? 'app.lost.none' : 'app.codes.none'))
          }</section>`
        }${list.token === null && lost.rows.length === 0 && renderEmptyState(t(locale, search === undefined ? 'app.nothingYet' : 'app.codes.none'))}`,
      });
    },
  );

  async function listCodes(request: FastifyRequest, filter: Parameters<typeof parseQrCodeListFilter>[0]) {
    const user = requireAuthenticatedUser(request);
    const list = await listOwnQrCodes(services, getRequestContext(request), user, {
      filter: parseQrCodeListFilter(filter, user.timeZone),
      sort: QR_CODE_LIST_SORTS['-createdAt'],
      range: { skip: 0, take: MAX_SHOWN_CODES + 1 },
      included: undefined,
    });
    return { rows: list.rows.slice(0, MAX_SHOWN_CODES), total: list.total };
  }
};

interface CodeList {
  path(row: QrCodeListRow): string;
  pictures: ReadonlyMap<string, PictureRow>;
  token: FormToken;
  locale: Locale;
}

function renderLost(list: CodeList, row: QrCodeListRow): Html {
  const { token, locale } = list;
  return renderCard(
    list,
    row,
    renderForm({ action: `${list.path(row)}/found`, token, submit: t(locale, 'app.code.foundButton') }),
  );
}

/** With the first of the sentences that its form suggests. */
function renderLosable(list: CodeList, row: QrCodeListRow): Html {
  const { token, locale } = list;
  const action = `${list.path(row)}/lost`;
  const [preset] = listLostPresets(locale, row);
  const form = renderForm({
    action,
    token,
    submit: t(locale, 'app.code.lostButton'),
    hidden: { preset: preset?.name },
  });
  return renderCard(list, row, html`${form}<a href="${action}">${t(locale, 'app.lost.withMessage')}</a>`);
}

function renderCard({ path, pictures, locale }: CodeList, row: QrCodeListRow, actions: Html): Html {
  return html`<li>${renderThumbnail(path(row), row.kind, pictures.get(row.id))}<div><h3><a href="${path(row)}"><bdi>${row.title}</bdi></a></h3>
<p class="small">${renderKindAndNumber(row, locale)}</p>
${actions}</div></li>\n`;
}

function renderSearch(path: string, search: string | undefined, locale: Locale): Html {
  const field = { name: 'search', label: t(locale, 'app.codes.search'), value: search, maxLength: 100 };
  return html`<form method="get" action="${path}" class="filters"><div class="search"><div>${renderField(field, [], locale)}</div><button class="plain">${t(locale, 'app.codes.show')}</button></div></form>`;
}
