import type { FastifyRequest } from 'fastify';
import { serializeErrorForLog } from '../../../platform/http/error-log.ts';
import type { MapRenderer } from '../../../platform/maps/map-renderer.ts';
import { FORM_RESULT_HTML_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { translateNotification } from '../../../shared/i18n/notification-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  canResumeLostReport,
  findOwnQrCode,
  getCurrentQrCodeStatus,
  type QrCodeRow,
} from '../../codes/index.ts';
import {
  createScanReportFormatter,
  describeUserAgent,
  type OwnScan,
  readOwnScan,
  type ScanPosition,
} from '../../scans/index.ts';
import { createMapLinks } from '../contact-links.rules.ts';
import type { FinderServices } from '../finder-services.ts';
import { formatAccuracy } from '../formatters.ts';
import { formatCoordinates } from '../shared-position.ts';
import type { OwnerLinkAccess } from './owner-link-access.ts';
import { renderActionForm, renderLinkFooter, renderMoment } from './owner-link-parts.ts';

/** Pixels; a phone shows it at about this size. */
const MAP_SIZE = { width: 380, height: 300 };

/** The map shows cities, not streets: a single position that is more accurate is a point in an empty field. */
const MIN_DRAWN_ACCURACY_METERS = 2_000;

type Services = FinderServices & { maps: MapRenderer; applicationUrl: string | null };

/** Create the page of a code with what was scanned where; null when the code is gone. @throws DATA_INTEGRITY */
export async function createCodeLinkPage(
  services: Services,
  request: FastifyRequest,
  access: OwnerLinkAccess,
  locale: Locale,
): Promise<{ body: Html; hasMap: boolean } | null> {
  const { owner, subject, event, data, createdAt } = access;
  if (!('qrCodeId' in subject)) return null;
  const code = await findOwnQrCode(services.database.client, owner.id, subject.qrCodeId);
  if (!code) return null;
  const scan = subject.name === 'scan' ? await readOwnScan(services, owner.id, subject.scanId) : null;
  const heading = {
    event: event === 'scan.digest' ? (data.newestEvent ?? '') : event,
    data: { code: code.title },
  };
  const device = createScanReportFormatter(locale).agent({
    ...describeUserAgent(scan?.userAgent ?? ''),
    city: null,
    country: null,
  });
  const isDeviceKnown = scan !== null && device !== t(locale, 'report.unknown');
  const map = scan && (await drawMap(services, request, owner.id, scan.positions, locale));
  return {
    hasMap: map !== null,
    body: html`<h1>${translateNotification(locale, heading).title}</h1>
<p>${renderMoment(scan ? new Date(scan.scannedAt) : createdAt, access, locale)}${isDeviceKnown && html`<br>${device}`}</p>
${scan && renderPositions(scan, map, request, access, locale)}
${renderStatus(services, access, code, locale)}
${renderLinkFooter(services, access, locale)}`,
  };
}

/** Null without a position, where the map would say nothing, or when it cannot be drawn. */
async function drawMap(
  { maps }: Services,
  request: FastifyRequest,
  accountId: string,
  positions: readonly ScanPosition[],
  { tag }: Locale,
): Promise<string | null> {
  const points = positions.flatMap(({ latitude, longitude, accuracy }) =>
    latitude === null || longitude === null ? [] : [{ latitude, longitude, accuracyMeters: accuracy }],
  );
  const [first] = points;
  const isSharp = first?.accuracyMeters != null && first.accuracyMeters < MIN_DRAWN_ACCURACY_METERS;
  if (!first || (points.length === 1 && isSharp)) return null;
  return maps.renderPointMap(accountId, points, { ...MAP_SIZE, language: tag }).catch((error: unknown) => {
    request.log.warn({ error: serializeErrorForLog(error) }, 'a map could not be drawn');
    return null;
  });
}

function renderPositions(
  { positions, scannedAt }: OwnScan,
  map: string | null,
  request: FastifyRequest,
  access: OwnerLinkAccess,
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
    createdAt !== scannedAt && renderMoment(new Date(createdAt), access, locale),
    accuracy !== null && html`${formatAccuracy(accuracy, locale)}`,
  ].filter((line) => typeof line === 'object' && line !== null);
  return html`<section>${lines.map((line) => html`<div>${line}</div>`)}</section>
${renderMapLinks(newest, request, locale)}${map && html`<figure class="map">${{ markup: map }}</figure>\n`}${
  positions.length > 1 &&
  html`<details><summary>${t(locale, 'ownerLink.trailTitle', { count: positions.length })}</summary><ol>${positions.map(
    (position) =>
      html`<li>${renderMoment(new Date(position.createdAt), access, locale)}${position.accuracy !== null && html` · ${formatAccuracy(position.accuracy, locale)}`}</li>`,
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

function renderStatus(services: Services, access: OwnerLinkAccess, code: QrCodeRow, locale: Locale): Html {
  const status = getCurrentQrCodeStatus(code);
  const parts = {
    LOST: html`<h2>${t(locale, 'ownerLink.lost')}</h2>
<p>${t(locale, 'ownerLink.foundText')}</p>
${renderActionForm(services, access, 'found', t(locale, 'ownerLink.foundButton'), locale)}`,
    ACTIVE: html`<h2>${t(locale, 'ownerLink.active')}</h2>
<p>${t(locale, 'ownerLink.pauseText')}</p>
${renderActionForm(services, access, 'pause', t(locale, 'ownerLink.pauseButton'), locale, true)}`,
    PAUSED: html`<h2>${t(locale, 'finder.pausedTitle')}</h2>
<p>${t(locale, 'ownerLink.resumeText')}</p>
${renderActionForm(services, access, 'resume', t(locale, 'ownerLink.resumeButton'), locale)}`,
    EXPIRED: html`<h2>${t(locale, 'finder.expiredTitle')}</h2>`,
  };
  const part = Object.hasOwn(parts, status) && parts[status as keyof typeof parts];
  const undo =
    canResumeLostReport(code) &&
    html`<p role="status">${t(locale, 'ownerLink.markedAsFound')}</p>
${renderActionForm(services, access, 'undo-found', t(locale, 'ownerLink.undoFoundButton'), locale, true)}`;
  return html`<section><div${FORM_RESULT_HTML_ATTRIBUTES}>${undo}${part}</div></section>`;
}
