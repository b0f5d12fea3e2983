import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { createScanReportFormatter, type ScanListRow } from '../../scans/index.ts';
import { formatScanDevice, formatScanPlace, renderShortTime } from './code-parts.ts';

/** Render scans of a code, each with the way to its page. */
export function renderScanTable(
  codePath: string,
  scans: readonly ScanListRow[],
  { timeZone, locale }: { timeZone: string; locale: Locale },
): Html {
  const { scanClass } = createScanReportFormatter(locale);
  return html`<table class="stack"><thead><tr><th scope="col">${t(locale, 'report.when')}</th><th scope="col">${t(locale, 'report.where')}</th><th scope="col">${t(locale, 'report.usedDevice')}</th><th scope="col">${t(locale, 'report.who')}</th></tr></thead><tbody>${scans.map(
    (scan) =>
      html`<tr><th scope="row"><a href="${codePath}/scans/${scan.id}">${renderShortTime(scan.scannedAt, timeZone, locale)}</a></th><td><bdi>${
        formatScanPlace(scan, locale) || t(locale, 'report.unknown')
      }</bdi></td><td>${formatScanDevice(scan.userAgent, locale)}</td><td>${scanClass(scan.class)}</td></tr>\n`,
  )}</tbody></table>`;
}
