import { type Html, html } from '../../../shared/html.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { getCurrentQrCodeStatus, type QrCodeListRow } from '../../codes/index.ts';
import type { PictureRow } from '../../files/index.ts';
import { renderMoment } from '../../finder/index.ts';
import type { DashboardData, ScanListRow } from '../../scans/index.ts';
import {
  formatScanPlace,
  isLosable,
  renderKindAndNumber,
  renderShortTime,
  renderStatusChip,
  renderThumbnail,
} from '../codes/code-parts.ts';
import { renderCodeTable } from '../codes/code-table.ts';
import { renderEmptyState, renderForm, renderTabs } from '../components.ts';
import type { FirstSteps } from '../first-steps/first-steps.ts';
import { renderFirstSteps } from '../first-steps/render-first-steps.ts';
import type { FormToken } from '../form-token.ts';
import { type HomeActivity, renderMessages, renderPlaces, renderQuiet } from './home-activity.ts';

export type HomeLayout = 'cards' | 'table';

export interface HomePage extends HomeActivity {
  dashboard: Pick<DashboardData, 'attention' | 'codes'>;
  /** The newest codes, and how many there are. */
  codes: readonly QrCodeListRow[];
  total: number;
  /** By the id of their code. */
  pictures: ReadonlyMap<string, PictureRow>;
  lastScans: ReadonlyMap<string, ScanListRow>;
  firstSteps: FirstSteps | null;
  layout: HomeLayout;
  /** What was just done. */
  done: Html | null;
  token: FormToken;
}

/** Create the first page of an account: what is lost, what is new, what is quiet, then its codes. */
export function createHomePage(page: HomePage): Html {
  const { accountPath, total, done, locale } = page;
  const newCode =
    page.token !== null &&
    html`<a class="act" href="${accountPath}/codes/new">${t(locale, 'app.codes.new')}</a>`;
  if (total === 0)
    return html`${done}${renderMessages(page)}${renderEmptyState(t(locale, newCode ? 'app.home.empty' : 'app.nothingYet'), newCode ? html`<p>${newCode}</p>` : null)}`;
  return html`${done}
${renderLost(page)}${renderMessages(page)}${renderPlaces(page)}${page.firstSteps && page.token !== null && renderFirstSteps(page.firstSteps, page)}${renderQuiet(page)}
<section><h2>${t(locale, 'app.home.codesTitle')}</h2>
${newCode && html`<div class="actions">${newCode}</div>`}
${renderCodes(page)}</section>`;
}

function renderCodes(page: HomePage): Html {
  const { accountPath, dashboard, codes, total, layout, locale } = page;
  const tabs = (['cards', 'table'] as const).map((name) => ({
    href: `${accountPath}?layout=${name}`,
    label: t(locale, `app.home.${name}`),
    isCurrent: name === layout,
  }));
  const lostIds = listLostCodes(dashboard).map(({ id }) => id);
  const content =
    layout === 'table'
      ? renderCodeTable(`${accountPath}/codes`, codes, { ...page, isSelectable: false })
      : html`<ul class="cards">${codes.filter(({ id }) => !lostIds.includes(id)).map((row) => renderCard(page, row))}</ul>`;
  return html`${renderTabs(tabs, t(locale, 'app.home.layout'))}${content}
${total > codes.length && html`<p><a href="${accountPath}/codes">${t(locale, 'app.codes.all')} (${new Intl.NumberFormat(locale.tag).format(total)})</a></p>`}`;
}

export function listLostCodes({ attention }: Pick<DashboardData, 'attention'>) {
  return attention.filter(({ status }) => status === 'LOST');
}

function renderLost(page: HomePage): Html | null {
  const { accountPath, dashboard, pictures, token, locale } = page;
  const lost = listLostCodes(dashboard);
  if (lost.length === 0) return null;
  const count = Math.max(dashboard.codes.lost, lost.length);
  const title = html`${t(locale, 'app.codes.statuses.LOST')} (${new Intl.NumberFormat(locale.tag).format(count)})`;
  return html`<section><h2>${title}</h2><ul class="cards">${lost.map(({ id, kind, title }) => {
    const path = `${accountPath}/codes/${id}`;
    return html`<li class="lost-item">${renderThumbnail(path, kind, pictures.get(id))}<div><h3><a href="${path}"><bdi>${title}</bdi></a></h3>
<p class="small">${renderLastScan(page, id)}</p>
${renderForm({ action: `${path}/found`, token, submit: t(locale, 'app.code.foundButton'), hidden: { to: 'home' } })}</div></li>\n`;
  })}</ul>${count > lost.length && html`<p><a href="${accountPath}/codes?status=LOST">${t(locale, 'app.home.allLost')}</a></p>`}</section>\n`;
}

function renderLastScan({ accountPath, lastScans, timeZone, locale }: HomePage, id: string): Html {
  const scan = lastScans.get(id);
  if (!scan) return html`${t(locale, 'app.home.notSeen')}`;
  const time = html`<a class="above" href="${accountPath}/codes/${id}/scans/${scan.id}">${renderMoment(scan.scannedAt, timeZone, locale)}</a>`;
  const place = formatScanPlace(scan, locale);
  return place
    ? translateHtml(locale, 'app.home.lastSeen', { time, place: html`<bdi>${place}</bdi>` })
    : translateHtml(locale, 'app.home.lastSeenNowhere', { time });
}

function renderCard({ accountPath, pictures, token, timeZone, locale }: HomePage, row: QrCodeListRow): Html {
  const path = `${accountPath}/codes/${row.id}`;
  const lastScan =
    row.lastScannedAt === null
      ? html`${t(locale, 'app.codes.neverScanned')}`
      : html`${t(locale, 'app.codes.lastScan')}${t(locale, 'finder.labelSeparator')}${renderShortTime(row.lastScannedAt, timeZone, locale)}`;
  return html`<li>${renderThumbnail(path, row.kind, pictures.get(row.id))}<div><h3><a href="${path}"><bdi>${row.title}</bdi></a></h3>
<div class="small">${renderKindAndNumber(row, locale)} ${renderStatusChip(getCurrentQrCodeStatus(row), locale)}</div><div class="small">${lastScan}</div>${
    token !== null &&
    isLosable(row) &&
    html`<a class="act plain" href="${path}/lost?to=home">${t(locale, 'app.code.lostButton')}</a>`
  }</div></li>\n`;
}
