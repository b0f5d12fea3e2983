import type { FastifyRequest } from 'fastify';
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
import { createScanReportFormatter, describeUserAgent, readOwnScan } from '../../scans/index.ts';
import type { FinderServices } from '../finder-services.ts';
import { renderMoment } from '../formatters.ts';
import { drawScanMap, renderScanPositions } from '../scan-positions.ts';
import type { OwnerLinkAccess } from './owner-link-access.ts';
import { renderActionForm, renderLinkFooter } from './owner-link-parts.ts';

type Services = FinderServices & { maps: MapRenderer; applicationUrl: string | null };

/** Create the page of a code with what was scanned where; null when the code is gone. @throws DATA_INTEGRITY */
export async function createCodeLinkPage(
  services: Services,
  request: FastifyRequest,
  access: OwnerLinkAccess,
  locale: Locale,
): Promise<{ body: Html; hasMap: boolean } | null> {
  const { accountId, owner, subject, event, data, createdAt } = access;
  if (!('qrCodeId' in subject)) return null;
  const code = await findOwnQrCode(services.database.client, accountId, subject.qrCodeId);
  if (!code) return null;
  const scan = subject.name === 'scan' ? await readOwnScan(services, accountId, subject.scanId) : null;
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
  const map = scan && (await drawScanMap(services, request, accountId, scan.positions, locale));
  return {
    hasMap: map !== null,
    body: html`<h1>${translateNotification(locale, heading).title}</h1>
<p>${renderMoment(scan ? new Date(scan.scannedAt) : createdAt, owner.timeZone, locale)}${isDeviceKnown && html`<br>${device}`}</p>
${scan && renderScanPositions(scan, map, request, owner.timeZone, locale)}
${access.canEdit && renderStatus(services, access, code, locale)}
${renderLinkFooter(services, access, locale)}`,
  };
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
