import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createMapRenderer } from '../../../platform/maps/map-renderer.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getOwnQrCode } from '../../codes/index.ts';
import { drawScanMap, renderMoment, renderScanPositions } from '../../finder/index.ts';
import {
  createScanReportFormatter,
  listOwnScans,
  readOwnScan,
  SCAN_CLASSES,
  SCAN_LIST_SORTS,
} from '../../scans/index.ts';
import { renderEmptyState } from '../components.ts';
import { CursorParams, parseCursorPage, renderCursorLinks } from '../cursor-pages.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { CODE_SCANS_ACCESS, CodeParams } from './code-actions.ts';
import {
  formatScanDevice,
  getCodePath,
  getCodeRights,
  getCodeTabTitle,
  renderCodeTabs,
} from './code-parts.ts';
import { renderScanFigures } from './scan-figures.ts';
import { renderClassTabs, renderScanTable } from './scan-table.ts';

const SCANS_PER_PAGE = 25;

const ScanFilterQuery = Type.Object({ class: Type.Optional(Type.String()) });

function parseScanFilter({
  params: { id },
  query,
}: {
  params: Static<typeof CodeParams>;
  query: Static<typeof ScanFilterQuery>;
}) {
  const scanClass = SCAN_CLASSES.find((name) => name === query.class);
  return { scanClass, filter: { qrCodeId: id, classes: scanClass && [scanClass] } };
}

/** The scans of a code, and the page of each. */
export const scanPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const maps = createMapRenderer(services.geocoder);
  app.addHook('onClose', () => maps.close());
  const pageConfig = {
    access: CODE_SCANS_ACCESS,
    audit: skipAudit('SCAN'),
    rateLimitClass: 'page',
  } as const;

  app.get(
    '/:accountId/codes/:id/scans',
    {
      config: pageConfig,
      schema: {
        hide: true,
        params: CodeParams,
        querystring: Type.Object({ ...CursorParams, ...ScanFilterQuery.properties }),
      },
    },
    async (request, reply) => {
      const { accountId } = request.params;
      const { timeZone } = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const code = await getOwnQrCode(database.client, request.params);
      const { scanClass, filter } = parseScanFilter(request);
      const page = parseCursorPage(
        request,
        { filters: { class: scanClass }, limit: SCANS_PER_PAGE },
        [SCAN_LIST_SORTS['-scannedAt'], SCAN_LIST_SORTS.scannedAt],
        request.query,
      );
      const sort = page.sort === SCAN_LIST_SORTS.scannedAt ? 'scannedAt' : '-scannedAt';
      const list = await listOwnScans(services, accountId, filter, { sort, range: page.range });
      const { rows, ...positions } = page.toPage(list.rows);
      const path = getCodePath(services, request.params);
      const isFirst = page.range.after === undefined;
      const figures =
        isFirst && (rows.length > 0 || scanClass)
          ? await renderScanFigures({ ...services, maps }, request, { accountId, filter, path }, locale)
          : null;
      return sendOwnerPage(services, request, reply, {
        title: code.title,
        tabTitle: getCodeTabTitle(code, locale),
        entry: 'codes',
        hasMap: figures?.hasMap === true,
        hasChart: figures !== null,
        body: html`${renderCodeTabs(path, 'scans', { ...getCodeRights(request, code), locale })}
${figures?.body}${(rows.length > 0 || scanClass) && renderClassTabs(`${path}/scans`, scanClass, locale)}
<div id="scans"${isFirst && !scanClass && html` data-script="live" data-updates="${path}/scans/updates" data-state="${rows[0]?.id ?? ''}" data-text="${t(locale, 'app.scans.new')}"`}>${isFirst && rows.length > 0 && html`<p class="small">${t(locale, 'app.scans.count', { count: list.total })}</p>`}
${
  rows.length > 0
    ? renderScanTable(path, rows, { timeZone, locale })
    : renderEmptyState(t(locale, scanClass ? 'app.scans.noneOfClass' : 'app.code.noScans'))
}</div>
${renderCursorLinks(`${path}/scans`, { class: scanClass }, positions, locale)}${rows.length > 0 && html`<p><a href="${getAccountPath(services, accountId)}/reports">${t(locale, 'app.reports.title')}</a></p>`}`,
      });
    },
  );

  // What the script compares to learn whether there is a new scan.
  app.get(
    '/:accountId/codes/:id/scans/updates',
    {
      // Not `page`: a page that stays open must not use up the limit for opening pages.
      config: { ...pageConfig, rateLimitClass: 'read' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      const range = { skip: 0, take: 1, after: null };
      const { accountId, id: qrCodeId } = request.params;
      const { rows } = await listOwnScans(services, accountId, { qrCodeId }, { sort: '-scannedAt', range });
      return reply
        .header('Cache-Control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(rows[0]?.id ?? '');
    },
  );

  app.get(
    '/:accountId/codes/:id/scans/:scanId',
    {
      config: pageConfig,
      schema: { hide: true, params: createIdParamsSchema('accountId', 'id', 'scanId') },
    },
    async (request, reply) => {
      const { accountId, id, scanId } = request.params;
      const { timeZone } = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const code = await getOwnQrCode(database.client, { accountId, id });
      const scan = await readOwnScan(services, accountId, scanId);
      if (scan?.qrCodeId !== id) throw new ServiceError('NOT_FOUND');
      const map = await drawScanMap({ maps }, request, accountId, scan.positions, locale);
      const path = getCodePath(services, { accountId, id });
      return sendOwnerPage(services, request, reply, {
        title: code.title,
        tabTitle: getCodeTabTitle(code, locale),
        entry: 'codes',
        hasMap: map !== null,
        body: html`${renderCodeTabs(path, 'scans', { ...getCodeRights(request, code), locale })}
<h2>${renderMoment(new Date(scan.scannedAt), timeZone, locale)}</h2>
<p>${createScanReportFormatter(locale).scanClass(scan.class ?? '')} · ${formatScanDevice(scan.userAgent ?? '', locale)}${
          scan.unlocked && html` · ${t(locale, 'app.scans.pin')}`
        }</p>
${renderScanPositions(scan, map, request, timeZone, locale)}
<p><a href="${path}/scans">${t(locale, 'app.code.allScans')}</a></p>`,
      });
    },
  );
};
