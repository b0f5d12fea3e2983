import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ReportChart } from './report-chart.rules.ts';
import { createScanReportFormatter } from './report-formatter.ts';

/** Render the counts of a chart as a table, for those who cannot see it. */
export function renderFoldedCounts(chart: ReportChart, locale: Locale): Html {
  const { number } = createScanReportFormatter(locale);
  return html`<details><summary>${t(locale, 'report.tableTitle', { heading: chart.heading })}</summary><table><thead>${renderCountHeadings(chart, locale)}</thead><tbody>${chart.rows.map(
    (row) => html`<tr><th scope="row">${row.name}</th>${renderCountCells(row, number)}</tr>`,
  )}</tbody></table></details>`;
}

export function renderCountHeadings({ columnHeading }: ReportChart, locale: Locale): Html {
  return html`<tr><th scope="col">${columnHeading}</th><th scope="col" class="number">${t(locale, 'report.scans')}</th><th scope="col" class="number">${t(locale, 'report.people')}</th><th scope="col" class="number">${t(locale, 'report.unique')}</th></tr>`;
}

export function renderCountCells(
  { total, humans, unique }: ReportChart['rows'][number],
  format: (count: number) => string,
): Html {
  return html`${[total, humans, unique].map((count) => html`<td class="number">${format(count)}</td>`)}`;
}
