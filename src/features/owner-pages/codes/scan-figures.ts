import type { FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { MapRenderer } from '../../../platform/maps/map-renderer.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { drawScanMap } from '../../finder/index.ts';
import {
  type LocatedScan,
  listLocatedOwnScans,
  readOwnQrCodeStatistics,
  renderScanChart,
} from '../../scans/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { formatScanPlace, renderShortTime } from './code-parts.ts';

interface ScanFigures {
  body: Html;
  hasMap: boolean;
}

interface FigureSubject {
  accountId: string;
  filter: { qrCodeId: string; classes: readonly string[] | undefined };
  /** Of the page of the code. */
  path: string;
}

/** Render when and where a code was scanned: the last 30 days as a chart, the last places as a map. @throws DATA_INTEGRITY */
export async function renderScanFigures(
  services: OwnerPageServices & { maps: MapRenderer },
  request: FastifyRequest,
  { accountId, filter, path }: FigureSubject,
  locale: Locale,
): Promise<ScanFigures> {
  const { timeZone } = requireAuthenticatedUser(request);
  const { qrCodeId: id } = filter;
  const [statistics, located] = await Promise.all([
    readOwnQrCodeStatistics(services.database, { accountId, id }, { interval: 'day', timeZone }),
    listLocatedOwnScans(services, accountId, filter),
  ]);
  const chart = await renderScanChart(statistics, locale);
  const trail = located.toReversed();
  const points = trail.map(({ scan, position }) => ({ ...position, href: `${path}/scans/${scan.id}` }));
  const map = await drawScanMap(services, request, accountId, points, locale);
  return {
    body: html`<div class="figures">${chart}${map !== null && renderTrail(map, trail, { path, timeZone, locale })}</div>`,
    hasMap: map !== null,
  };
}

/** Render a map of scans, oldest first, with the way to each of its numbers. */
function renderTrail(
  map: string,
  trail: readonly LocatedScan[],
  { path, timeZone, locale }: { path: string; timeZone: string; locale: Locale },
): Html {
  return html`<section aria-labelledby="places"><h2 id="places">${t(locale, 'app.scans.places')}</h2>
<figure class="map">${{ markup: map }}</figure><details><summary>${t(locale, 'ownerLink.trailTitle', { count: trail.length })}</summary><ol>${trail.map(
    ({ scan, position }) => {
      const place = formatScanPlace(position, locale);
      return html`<li><a href="${path}/scans/${scan.id}">${renderShortTime(scan.scannedAt, timeZone, locale)}</a>${place && html` · <bdi>${place}</bdi>`}</li>\n`;
    },
  )}</ol></details></section>`;
}
