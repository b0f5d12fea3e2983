import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderCountryMap } from '../../../shared/maps/country-map.ts';
import { renderCountCells, renderCountHeadings, renderFoldedCounts } from './count-table.ts';
import { renderLineLegend } from './line-chart-figure.ts';
import type { ReportBrand } from './report-brand.ts';
import type { ReportChart } from './report-chart.rules.ts';
import { renderSvgLineChart } from './report-charts.ts';
import type { ReportCountryMap, ScanReportContent } from './report-content.rules.ts';
import { createScanReportPageCsp } from './report-csp.ts';
import { createScanReportCss } from './report-css.ts';
import { createScanReportFormatter } from './report-formatter.ts';
import type { WeekdayHourChart } from './weekday-hour-chart.rules.ts';

const WIDE_CHART_PIXELS = 860;
const NARROW_CHART_PIXELS = 360;
const MAP_SIZE_PIXELS = { width: 410, height: 300 };
/** Every sixth hour has a label. */
const HOURS_PER_LABEL = 6;

export async function renderScanReportPage(report: ScanReportContent, brand: ReportBrand): Promise<string> {
  const { heading, period, madeAt, line, breakdowns, locale } = report;
  const wide = await renderSvgLineChart(line, 'line-wide', WIDE_CHART_PIXELS);
  const narrow = await renderSvgLineChart(line, 'line-narrow', NARROW_CHART_PIXELS);
  const map = breakdowns && (await renderMap(breakdowns.map, locale));
  return html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${createScanReportPageCsp(brand)}"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>${t(locale, 'report.title', { heading })}</title><link rel="icon" href="data:,"><style>${{ markup: createScanReportCss(brand) }}</style></head>
<body><div class="page">
<header><p class="brand">${renderLogo(brand)}${brand.name}</p><p>${t(locale, 'report.kicker')}</p><h1>${heading}</h1><p>${period}</p><p>${report.lastScan}</p></header>
<main>
<section aria-labelledby="numbers"><h2 id="numbers">${t(locale, 'report.overview')}</h2><dl class="numbers">${report.numbers.map(
    ({ name, value, change, meaning }) =>
      html`<div><dt>${name}</dt><dd class="value">${value}</dd><dd class="change">${change}</dd><dd class="meaning">${meaning}</dd></div>`,
  )}</dl></section>
<section aria-labelledby="line"><h2 id="line">${line.heading}</h2>
${renderLineLegend(locale)}
<figure><div class="wide">${wide}</div><div class="narrow">${narrow}</div></figure>${renderFoldedCounts(line, locale)}</section>
${report.topCodes && renderBarSection(report.topCodes, 'codes', locale)}
${report.weekdayHours && renderWeekdayHours(report.weekdayHours)}
${
  breakdowns &&
  html`<div class="columns">${map}${renderBarSection(breakdowns.countries, 'countries', locale)}</div>
<div class="columns">${renderBarSection(breakdowns.cities, 'cities', locale)}<div>${renderBarSection(breakdowns.devices, 'devices', locale)}${renderBarSection(breakdowns.classes, 'classes', locale)}</div></div>`
}
<section aria-labelledby="last"><h2 id="last">${t(locale, 'report.lastScans')}</h2>${renderRecentScans(report)}</section>
</main>
<footer><p>${t(locale, 'report.uniqueNote')} ${t(locale, 'report.peopleNote')}</p><p>${madeAt}</p></footer>
</div></body></html>
`.markup;
}

function renderLogo({ logo }: ReportBrand): Html | null {
  if (!logo) return null;
  const data = Buffer.from(logo.bytes).toString('base64');
  return html`<img src="data:${logo.contentType};base64,${data}" alt="">`;
}

function renderBarLegend(locale: Locale): Html {
  return html`<ul class="key bar-key"><li class="people">${t(locale, 'report.people')}</li><li>${t(locale, 'report.otherScans')}</li></ul>`;
}

/** A table whose names have a bar below them: by people, and the others. */
function renderBarSection(chart: ReportChart, id: string, locale: Locale): Html {
  const { number } = createScanReportFormatter(locale);
  const max = Math.max(1, ...chart.rows.map(({ total }) => total));
  const table = html`<table class="bars"><thead>${renderCountHeadings(chart, locale)}</thead><tbody>${chart.rows.map(
    (row) => {
      const [humans, total] = [row.humans, row.total].map((count) => Math.round((count / max) * 1000) / 10);
      return html`<tr><th scope="row">${row.name}<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="others" width="${total}" height="6"/><rect class="people" width="${humans}" height="6"/></svg></th>${renderCountCells(row, number)}</tr>`;
    },
  )}</tbody></table>`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${chart.heading}</h2>${chart.rows.length > 0 ? html`${renderBarLegend(locale)}${table}` : html`<p class="soft">${chart.summary}</p>`}</section>
`;
}

async function renderMap(
  { heading, summary, legend, counts }: ReportCountryMap,
  locale: Locale,
): Promise<Html> {
  const svg = await renderCountryMap(counts, {
    ...MAP_SIZE_PIXELS,
    locale,
    title: heading,
    description: summary,
  });
  return html`<section class="map" aria-labelledby="map"><h2 id="map">${legend}</h2><figure>${{ markup: svg }}</figure></section>`;
}

function renderWeekdayHours({ heading, legend, summary, hours, rows, ranges }: WeekdayHourChart): Html {
  return html`<section aria-labelledby="hours"><h2 id="hours">${heading}</h2><p class="soft">${legend}</p>
<table class="hours"><thead><tr><td></td>${hours.flatMap((hour, index) =>
    index % HOURS_PER_LABEL === 0
      ? [html`<th scope="colgroup" colspan="${HOURS_PER_LABEL}">${hour}</th>`]
      : [],
  )}</tr></thead><tbody>${rows.map(
    ({ name, cells }) =>
      html`<tr><th scope="row">${name}</th>${cells.map(({ count, shade }) => html`<td class="shade${shade}">${count}</td>`)}</tr>`,
  )}</tbody></table>
<ul class="key shades">${ranges.map(({ shade, name }) => html`<li class="shade${shade}" dir="ltr">${name}</li>`)}</ul><p>${summary}</p></section>`;
}

// Cells are stacked on phones; the roles keep the table semantics for screen readers.
function renderRecentScans({ scans, hasTitles, locale }: ScanReportContent): Html {
  if (scans.length === 0) return html`<p class="soft">${t(locale, 'report.none')}</p>`;
  return html`<table class="last" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" class="when">${t(locale, 'report.when')}</th>${hasTitles && html`<th role="columnheader">${t(locale, 'report.code')}</th>`}<th role="columnheader">${t(locale, 'report.where')}</th><th role="columnheader" class="who">${t(locale, 'report.who')}</th><th role="columnheader">${t(locale, 'report.usedDevice')}</th></tr></thead><tbody role="rowgroup">${scans.map(
    ({ at, iso, title, place, by, device }) =>
      html`<tr role="row"><td role="cell" class="when"><time datetime="${iso}">${at}</time></td>${hasTitles && html`<td role="cell">${title}</td>`}<td role="cell">${place}</td><td role="cell" class="who">${by}</td><td role="cell">${device}</td></tr>\n`,
  )}</tbody></table>`;
}
