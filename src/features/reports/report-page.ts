import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { drawBars, drawLine } from './report-charts.ts';
import type { Chart, Report } from './report-content.rules.ts';
import { PAGE_POLICY } from './report-policy.ts';
import { STYLE } from './report-style.ts';

const WIDE = 860;
const NARROW = 360;
const HALF = 410;

/** A report as one page of HTML that needs nothing else: no script, nothing from elsewhere. */
export async function reportPage(report: Report): Promise<string> {
  const { heading, period, madeAt, line, locale } = report;
  const wide = await drawLine(line, 'line-wide', WIDE);
  const narrow = await drawLine(line, 'line-narrow', NARROW);
  const bars: Html[] = [];
  for (const [index, chart] of report.bars.entries())
    bars.push(await barsSection(chart, `bars-${index}`, locale));
  return html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>${t(locale, 'report.title', { heading })}</title><link rel="icon" href="data:,"><style>${{ markup: STYLE }}</style></head>
<body><div class="page">
<header><p>${t(locale, 'report.kicker')}</p><h1>${heading}</h1><p>${period}</p><p>${report.lastScan}</p></header>
<main>
<section aria-labelledby="numbers"><h2 id="numbers">${t(locale, 'report.overview')}</h2><dl class="numbers">${report.numbers.map(
    ({ name, value, change, meaning }) =>
      html`<div><dt>${name}</dt><dd class="value">${value}</dd><dd class="change">${change}</dd><dd class="meaning">${meaning}</dd></div>`,
  )}</dl></section>
<section aria-labelledby="line"><h2 id="line">${line.heading}</h2>
<ul class="key"><li>${t(locale, 'report.scans')}</li><li class="people">${t(locale, 'report.people')}</li><li class="unique">${t(locale, 'report.unique')}</li></ul>
<figure><div class="wide">${wide}</div><div class="narrow">${narrow}</div></figure>${table(line, locale)}</section>
${
  bars.length > 0 &&
  html`<ul class="key bar-key"><li class="people">${t(locale, 'report.people')}</li><li>${t(locale, 'report.otherScans')}</li><li class="plain">${t(locale, 'report.barLegend')}</li></ul>
<div class="bars">${bars}</div>`
}
<section aria-labelledby="last"><h2 id="last">${t(locale, 'report.lastScans')}</h2>${lastScans(report)}</section>
</main>
<footer><p>${t(locale, 'report.uniqueNote')} ${t(locale, 'report.peopleNote')}</p><p>${madeAt}</p></footer>
</div></body></html>
`.markup;
}

async function barsSection(chart: Chart, id: string, locale: Locale): Promise<Html> {
  const picture =
    chart.rows.length > 0
      ? html`<figure>${await drawBars(chart, id, HALF, locale.tag)}</figure>${table(chart, locale)}`
      : html`<p class="soft">${chart.summary}</p>`;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${chart.heading}</h2>${picture}</section>\n`;
}

/** The numbers of a picture, for those who do not see it and those who want to know exactly. */
function table({ heading, of, rows }: Chart, locale: Locale): Html {
  return html`<details><summary>${t(locale, 'report.tableTitle', { heading })}</summary><table><thead><tr><th scope="col">${of}</th><th scope="col" class="number">${t(locale, 'report.scans')}</th><th scope="col" class="number">${t(locale, 'report.people')}</th><th scope="col" class="number">${t(locale, 'report.unique')}</th></tr></thead><tbody>${rows.map(
    ({ name, total, humans, unique }) =>
      html`<tr><th scope="row">${name}</th><td class="number">${total}</td><td class="number">${humans}</td><td class="number">${unique}</td></tr>`,
  )}</tbody></table></details>`;
}

// On a phone the cells stand one below the other; the roles keep it a table for those who listen.
function lastScans({ scans, hasTitles, locale }: Report): Html {
  if (scans.length === 0) return html`<p class="soft">${t(locale, 'report.none')}</p>`;
  return html`<table class="last" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" class="when">${t(locale, 'report.when')}</th>${hasTitles && html`<th role="columnheader">${t(locale, 'report.code')}</th>`}<th role="columnheader">${t(locale, 'report.where')}</th><th role="columnheader" class="who">${t(locale, 'report.who')}</th><th role="columnheader">${t(locale, 'report.usedDevice')}</th></tr></thead><tbody role="rowgroup">${scans.map(
    ({ at, iso, title, place, by, device }) =>
      html`<tr role="row"><td role="cell" class="when"><time datetime="${iso}">${at}</time></td>${hasTitles && html`<td role="cell">${title}</td>`}<td role="cell">${place}</td><td role="cell" class="who">${by}</td><td role="cell">${device}</td></tr>\n`,
  )}</tbody></table>`;
}
