import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { createScanReportFormatter, SCAN_CLASSES, type ScanListRow } from '../../scans/index.ts';
import { renderTabs } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
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

/** Render the way to the scans of each class, and to those of all. */
export function renderClassTabs(path: string, current: string | undefined, locale: Locale): Html {
  const { scanClass } = createScanReportFormatter(locale);
  const tabs = [undefined, ...SCAN_CLASSES].map((name) => ({
    href: formatListPath(path, { class: name }),
    label: name ? scanClass(name) : t(locale, 'app.inbox.all'),
    isCurrent: name === current,
  }));
  return renderTabs(tabs, t(locale, 'report.who'));
}
