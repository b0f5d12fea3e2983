import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderFoldedCounts } from './count-table.ts';
import { createLineChart } from './report-chart.rules.ts';
import { renderSvgLineChart } from './report-charts.ts';
import { createScanReportFormatter } from './report-formatter.ts';

/** A phone shows it at about this size. */
const CHART_PIXELS = 360;

/** Render what the lines of a chart count. */
export function renderLineLegend(locale: Locale): Html {
  return html`<ul class="key"><li>${t(locale, 'report.scans')}</li><li class="people">${t(locale, 'report.people')}</li><li class="unique">${t(locale, 'report.unique')}</li></ul>`;
}

/** Render the scans of a period as a line chart, with its counts as a table. The page needs `CHART_CSS`. */
export async function renderScanChart(
  statistics: Parameters<typeof createLineChart>[1],
  locale: Locale,
): Promise<Html> {
  const line = createLineChart(createScanReportFormatter(locale), statistics);
  const svg = await renderSvgLineChart(line, 'line', CHART_PIXELS);
  return html`<section aria-labelledby="scans-by"><h2 id="scans-by">${line.heading}</h2>
${renderLineLegend(locale)}<figure class="chart">${svg}</figure>${renderFoldedCounts(line, locale)}</section>`;
}
