import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderSvgBarChart, renderSvgLineChart } from './report-charts.ts';
import type { ReportChart, ScanReportContent } from './report-content.rules.ts';
import { SCAN_REPORT_PAGE_CSP } from './report-csp.ts';
import { SCAN_REPORT_CSS } from './report-css.ts';

const WIDE_CHART_PIXELS = 860;
const NARROW_CHART_PIXELS = 360;
const HALF_WIDTH_PIXELS = 410;

export async function renderScanReportPage(report: ScanReportContent): Promise<string> {
  const { heading, period, madeAt, line, locale } = report;
  const wide = await renderSvgLineChart(line, 'line-wide', WIDE_CHART_PIXELS);
  const narrow = await renderSvgLineChart(line, 'line-narrow', NARROW_CHART_PIXELS);
  const bars: Html[] = [];
  for (const [index, chart] of report.bars.entries())
    bars.push(await renderBarsSection(chart, `bars-${index}`, locale));
  return html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${SCAN_REPORT_PAGE_CSP}"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>${t(locale, 'report.title', { heading })}</title><link rel="icon" href="data:,"><style>${{ markup: SCAN_REPORT_CSS }}</style></head>
<body><div class="page">
<header><p>${t(locale, 'report.kicker')}</p><h1>${heading}</h1><p>${period}</p><p>${report.lastScan}</p></header>
<main>
<section aria-labelledby="numbers"><h2 id="numbers">${t(locale, 'report.overview')}</h2><dl class="numbers">${report.numbers.map(
    ({ name, value, change, meaning }) =>
      html`<div><dt>${name}</dt><dd class="value">${value}</dd><dd class="change">${change}</dd><dd class="meaning">${meaning}</dd></div>`,
  )}</dl></section>
<section aria-labelledby="line"><h2 id="line">${line.heading}</h2>
<ul class="key"><li>${t(locale, 'report.scans')}</li><li class="people">${t(locale, 'report.people')}</li><li class="unique">${t(locale, 'report.unique')}</li></ul>
<figure><div class="wide">${wide}</div><div class="narrow">${narrow}</div></figure>${renderTable(line, locale)}</section>
${
  bars.length > 0 &&
  html`<ul class="key bar-key"><li class="people">${t(locale, 'report.people')}</li><li>${t(locale, 'report.otherScans')}</li><li class="plain">${t(locale, 'report.barLegend')}</li></ul>
<div class="bars">${bars}</div>`
}
<section aria-labelledby="last"><h2 id="last">${t(locale, 'report.lastScans')}</h2>${renderRecentScans(report)}</section>
</main>
<footer><p>${t(locale, 'report.uniqueNote')} ${t(locale, 'report.peopleNote')}</p><p>${madeAt}</p></footer>
</div></body></html>
`.markup;
}

async function renderBarsSection(chart: ReportChart, id: string, locale: Locale): Promise<Html> {
  const picture =
    chart.rows.length > 0
      ? html`<figure>${await renderSvgBarChart(chart, id, HALF_WIDTH_PIXELS, locale.tag)}</figure>${renderTable(chart, locale)}`
      : html`<p class="soft">${chart.summary}</p>`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${chart.heading}</h2>${picture}</section>\n`;
}

function renderTable({ heading, columnHeading, rows }: ReportChart, locale: Locale): Html {
  return html`<details><summary>${t(locale, 'report.tableTitle', { heading })}</summary><table><thead><tr><th scope="col">${columnHeading}</th><th scope="col" class="number">${t(locale, 'report.scans')}</th><th scope="col" class="number">${t(locale, 'report.people')}</th><th scope="col" class="number">${t(locale, 'report.unique')}</th></tr></thead><tbody>${rows.map(
    ({ name, total, humans, unique }) =>
      html`<tr><th scope="row">${name}</th><td class="number">${total}</td><td class="number">${humans}</td><td class="number">${unique}</td></tr>`,
  )}</tbody></table></details>`;
}

// Cells are stacked on phones; the roles keep the table semantics for screen readers.
function renderRecentScans({ scans, hasTitles, locale }: ScanReportContent): Html {
  if (scans.length === 0) return html`<p class="soft">${t(locale, 'report.none')}</p>`;
  return html`<table class="last" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" class="when">${t(locale, 'report.when')}</th>${hasTitles && html`<th role="columnheader">${t(locale, 'report.code')}</th>`}<th role="columnheader">${t(locale, 'report.where')}</th><th role="columnheader" class="who">${t(locale, 'report.who')}</th><th role="columnheader">${t(locale, 'report.usedDevice')}</th></tr></thead><tbody role="rowgroup">${scans.map(
    ({ at, iso, title, place, by, device }) =>
      html`<tr role="row"><td role="cell" class="when"><time datetime="${iso}">${at}</time></td>${hasTitles && html`<td role="cell">${title}</td>`}<td role="cell">${place}</td><td role="cell" class="who">${by}</td><td role="cell">${device}</td></tr>\n`,
  )}</tbody></table>`;
}
