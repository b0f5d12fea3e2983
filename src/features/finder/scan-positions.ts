import type { FastifyRequest } from 'fastify';
import { serializeErrorForLog } from '../../platform/http/error-log.ts';
import type { MapRenderer } from '../../platform/maps/map-renderer.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import {
  createScanReportFormatter,
  describeUserAgent,
  type OwnScan,
  type ScanPosition,
} from '../scans/index.ts';
import { createMapLinks } from './contact-links.rules.ts';
import { formatAccuracy, renderMoment } from './formatters.ts';
import { formatCoordinates } from './shared-position.ts';

/** Pixels; a phone shows it at about this size. */
const MAP_SIZE = { width: 380, height: 300 };

/** The map shows cities, not streets: a single position that is more accurate is a point in an empty field. */
const MIN_DRAWN_ACCURACY_METERS = 2_000;

type DrawnPosition = Pick<ScanPosition, 'latitude' | 'longitude' | 'accuracy'> & {
  /** Where the mark of the position leads. */
  href?: string | undefined;
};

/** Draw where a scan was; null without a position, where the map would say nothing, or when it cannot be drawn. */
export async function drawScanMap(
  { maps }: { maps: MapRenderer },
  request: FastifyRequest,
  accountId: string,
  positions: readonly DrawnPosition[],
  { tag }: Locale,
): Promise<string | null> {
  const points = positions.flatMap(({ latitude, longitude, accuracy, href }) =>
    latitude === null || longitude === null ? [] : [{ latitude, longitude, accuracyMeters: accuracy, href }],
  );
  const [first] = points;
  const isSharp = first?.accuracyMeters != null && first.accuracyMeters < MIN_DRAWN_ACCURACY_METERS;
  if (!first || (points.length === 1 && isSharp)) return null;
  return maps.renderPointMap(accountId, points, { ...MAP_SIZE, language: tag }).catch((error: unknown) => {
    request.log.warn({ error: serializeErrorForLog(error) }, 'a map could not be drawn');
    return null;
  });
}

/** Render where a scan was, with links to maps, or that nobody knows. */
export function renderScanPositions(
  { positions, scannedAt }: OwnScan,
  map: string | null,
  request: FastifyRequest,
  timeZone: string,
  locale: Locale,
): Html {
  const newest = positions.at(-1);
  if (!newest) return html`<p>${t(locale, 'ownerLink.noPosition')}</p>`;
  const { city, region, country, address, accuracy, createdAt } = newest;
  const place = createScanReportFormatter(locale).place({ ...UNKNOWN_AGENT, city: city ?? region, country });
  // Without a geocoding server, the address is the same in English.
  const street = address === [city, region, country].filter(Boolean).join(', ') ? null : address;
  const { latitude, longitude } = newest;
  const coordinates =
    latitude === null || longitude === null ? null : formatCoordinates({ latitude, longitude });
  const lines = [
    place && html`<strong><bdi>${place}</bdi></strong>`,
    street && html`<bdi>${street}</bdi>`,
    coordinates !== null && html`<code dir="ltr">${coordinates}</code>`,
    createdAt !== scannedAt && renderMoment(new Date(createdAt), timeZone, locale),
    accuracy !== null && html`${formatAccuracy(accuracy, locale)}`,
  ].filter((line) => typeof line === 'object' && line !== null);
  return html`<section>${lines.map((line) => html`<div>${line}</div>`)}</section>
${renderMapLinks(newest, request, locale)}${map && html`<figure class="map">${{ markup: map }}</figure>\n`}${
  positions.length > 1 &&
  html`<details><summary>${t(locale, 'ownerLink.trailTitle', { count: positions.length })}</summary><ol>${positions.map(
    (position) =>
      html`<li>${renderMoment(new Date(position.createdAt), timeZone, locale)}${position.accuracy !== null && html` · ${formatAccuracy(position.accuracy, locale)}`}</li>`,
  )}</ol></details>`
}`;
}

const UNKNOWN_AGENT = { device: 'unknown', os: 'unknown', browser: 'unknown' };

/** Render a link to the map application of this device, and links to maps on the web. */
function renderMapLinks(
  { latitude, longitude }: ScanPosition,
  { headers }: FastifyRequest,
  locale: Locale,
): Html | null {
  if (latitude === null || longitude === null) return null;
  const { geo, apple, google, openStreetMap } = createMapLinks({ latitude, longitude });
  const { os } = describeUserAgent(headers['user-agent'] ?? '');
  const own = os === 'Android' ? geo : os === 'iOS' || os === 'macOS' ? apple : openStreetMap;
  const label = own === openStreetMap ? t(locale, 'finder.mapLink') : t(locale, 'ownerLink.openMap');
  const rel = 'noopener noreferrer nofollow';
  return html`<p><a class="act wide" rel="${rel}" href="${own}">${label}</a></p>
<p><a rel="${rel}" href="${google}">Google Maps</a> · <a rel="${rel}" href="${openStreetMap}">OpenStreetMap</a></p>\n`;
}
