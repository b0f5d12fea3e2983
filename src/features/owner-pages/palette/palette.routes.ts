import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { translateHtml } from '../../../shared/i18n/translate.ts';
import {
  getCurrentQrCodeStatus,
  listOwnQrCodes,
  parseQrCodeListFilter,
  QR_CODE_LIST_SORTS,
  type QrCodeListRow,
} from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { CODE_ACCESS } from '../codes/code-actions.ts';
import { parseCodeListFilters, toListQuery } from '../codes/code-list-filters.ts';
import { getCodePath, isLosable } from '../codes/code-parts.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';
import { type PaletteOption, renderPaletteOptions } from './palette-option.ts';
import { findPalettePages } from './palette-pages.ts';

const MAX_CODES = 5;

/** Pages and codes that have a text, for the palette of the script: a part of a page, which no browser shows alone. */
export const palettePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/:accountId/palette',
    {
      // Not `page`: each letter that is typed asks.
      config: { access: CODE_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'read' },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId'),
        querystring: Type.Object({ search: Type.Optional(Type.String({ maxLength: 100 })) }),
      },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const { search = '' } = parseCodeListFilters(request.query);
      const pages = findPalettePages(services, requireAuthenticatedUser(request), search, locale);
      const codes = search === '' ? [] : await findCodes(request, search);
      const canReport = canUse(request, 'qrcodes:own', 'POST');
      const options = codes.flatMap((row) => toOptions(row, canReport, locale));
      return reply
        .header('Cache-Control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(renderPaletteOptions([...options, ...pages]).markup);
    },
  );

  /** By the owner's number first, which is of one code. */
  async function findCodes(request: FastifyRequest, search: string): Promise<QrCodeListRow[]> {
    const user = requireAuthenticatedUser(request);
    const list = async (query: Parameters<typeof parseQrCodeListFilter>[0]) => {
      const { rows } = await listOwnQrCodes(services, getRequestContext(request), user, {
        filter: parseQrCodeListFilter(query, user.timeZone),
        sort: QR_CODE_LIST_SORTS['-createdAt'],
        range: { skip: 0, take: MAX_CODES + 1 },
        included: undefined,
      });
      return rows.slice(0, MAX_CODES);
    };
    const byNumber = parseCodeListFilters({ externalId: search });
    const numbered = byNumber.externalId === undefined ? [] : await list(toListQuery(byNumber));
    const named = await list({ search });
    return [...numbered, ...named.filter(({ id }) => numbered.every((one) => one.id !== id))];
  }

  function toOptions(row: QrCodeListRow, canReport: boolean, locale: Locale): PaletteOption[] {
    const { id, accountId, kind } = row;
    const href = getCodePath(services, { accountId, id });
    const title = html`<bdi>${row.title}</bdi>`;
    const page = { href, label: title, hint: translateQrCodeKind(locale, kind) };
    if (!canReport) return [page];
    if (getCurrentQrCodeStatus(row) === 'LOST')
      return [page, { href, label: translateHtml(locale, 'app.palette.found', { title }) }];
    if (!isLosable(row)) return [page];
    return [page, { href: `${href}/lost`, label: translateHtml(locale, 'app.palette.lost', { title }) }];
  }
};
