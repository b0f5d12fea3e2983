import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  canResumeLostReport,
  getCurrentQrCodeStatus,
  getFolderId,
  getOwnerPreviewUrl,
  getQrCodeScanUrl,
  type LostItemReport,
  parseFolderColor,
  type QrCodeWithScanCounts,
  translateLostMessage,
} from '../../codes/index.ts';
import type { PictureRow } from '../../files/index.ts';
import { renderMoment, translateQrCodeKind } from '../../finder/index.ts';
import type { ScanListRow } from '../../scans/index.ts';
import { renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  type CodeRights,
  getCodePath,
  getCodesPath,
  renderCodeTabs,
  renderShortNumber,
  renderStatusChip,
  renderThumbnail,
} from './code-parts.ts';
import { renderFolderLabel } from './folder-parts.ts';
import { renderScanTable } from './scan-table.ts';

export interface CodePage {
  code: QrCodeWithScanCounts;
  rights: CodeRights;
  /** Of an unclaimed tag: its batch. */
  batchPath: string | null;
  /** Of what a code of kind MEMORY_TAG shows. */
  memorialPath: string | null;
  /** Those that the page of a code of kind DOCUMENT offers. */
  documents: Html | null;
  picture: PictureRow | undefined;
  report: LostItemReport | null;
  scans: readonly ScanListRow[];
  /** What was just done. */
  done: string | null;
  /** After a loss was reported. */
  webPushOffer: Html | null;
  token: FormToken;
  timeZone: string;
  locale: Locale;
}

/** Create the page of a code: what can be done with it, what it says while it is lost, and its last scans. */
export function createCodePage(services: OwnerPageServices, page: CodePage): Html {
  const { code, picture, done, scans, timeZone, locale } = page;
  const path = getCodePath(services, code);
  return html`${done !== null && renderNote(done)}${page.webPushOffer}${renderUndoFound(page, path)}
${renderCodeTabs(path, 'overview', { ...page.rights, locale })}
${page.batchPath !== null && renderNote(html`<a href="${page.batchPath}">${t(locale, 'app.batches.unclaimedCode')}</a>`)}${code.takenDownAt && renderNote(html`${t(locale, 'app.code.takenDown')} <a href="${path}/takedown">${t(locale, 'app.takedown.link')}</a>`, 'wrong')}
<div class="head">${renderThumbnail(path, code.kind, picture)}<p class="text">${renderStatusChip(getCurrentQrCodeStatus(code), locale)} ${translateQrCodeKind(locale, code.kind)}</p></div>
${renderActions(services, page, path)}
${renderLostReport(services, page, path)}${page.documents}
${renderFacts(services, page)}
<section><h2>${t(locale, 'report.lastScans')}</h2>
${
  scans.length > 0
    ? html`${renderScanTable(path, scans, { timeZone, locale })}<p><a href="${path}/scans">${t(locale, 'app.code.allScans')}</a></p>`
    : html`<p>${t(locale, 'app.code.noScans')} <a href="${path}/print">${t(locale, 'app.code.print')}</a></p>`
}</section>
${renderDelete(page, path)}`;
}

/** As long as it can be undone, in case that a notice came down too early. */
function renderUndoFound({ code, done, token, locale }: CodePage, path: string): Html | null {
  if (!canResumeLostReport(code) || getCurrentQrCodeStatus(code) !== 'ACTIVE') return null;
  const found = t(locale, 'ownerLink.markedAsFound');
  return html`${done !== found && renderNote(found)}${renderForm({
    action: `${path}/undo-found`,
    token,
    submit: t(locale, 'ownerLink.undoFoundButton'),
    kind: 'plain',
  })}`;
}

function renderActions(
  services: OwnerPageServices,
  { code, rights: { canEdit }, memorialPath, token, locale }: CodePage,
  path: string,
): Html {
  const status = getCurrentQrCodeStatus(code);
  const isOpen = status === 'ACTIVE' || status === 'PAUSED';
  const canBeLost = isOpen && code.mode === 'DYNAMIC' && code.kind !== 'MEMORY_TAG';
  const button = (action: string, submit: string, kind?: 'plain') =>
    renderForm({ action: `${path}/${action}`, token, submit, ...(kind && { kind }) });
  const lost = html`${button('found', t(locale, 'app.code.foundButton'))}${canEdit && html`<a class="act plain" href="${path}/lost">${t(locale, 'app.code.editLost')}</a>`}`;
  return html`<div class="actions">${memorialPath && html`<a class="act" href="${memorialPath}">${t(locale, 'app.memorials.link')}</a>`}${canBeLost && canEdit && html`<a class="act" href="${path}/lost">${t(locale, 'app.code.lostButton')}</a>`}${
    status === 'LOST' && lost
  }${status === 'ACTIVE' && button('pause', t(locale, 'app.code.pause'), 'plain')}${
    status === 'PAUSED' && button('resume', t(locale, 'app.code.resume'))
  }${
    code.mode === 'DYNAMIC' &&
    html`<a class="act plain" href="${getOwnerPreviewUrl(services, code.id, locale.tag)}">${t(locale, 'app.code.preview')}</a>`
  }</div>`;
}

function renderLostReport(
  { publicBaseUrl }: Pick<OwnerPageServices, 'publicBaseUrl'>,
  { code, report, timeZone, locale }: CodePage,
  path: string,
): Html | null {
  if (code.status !== 'LOST' || !report) return null;
  const { reward, lastSeen, since } = report;
  const message = translateLostMessage(report, locale);
  // One that is taken down or has expired shows no page.
  const hasPage = code.takenDownAt === null && getCurrentQrCodeStatus(code) === 'LOST';
  const scanUrl = getQrCodeScanUrl(publicBaseUrl, code.id);
  return html`<section class="lost"><h2 class="flag">${t(locale, 'app.codes.statuses.LOST')}</h2>
<p>${renderMoment(new Date(since), timeZone, locale)}</p>
${message && html`<p class="text" dir="auto">${message}</p>`}${reward && html`<p dir="auto">${t(locale, 'finder.reward', { reward })}</p>`}${
  lastSeen && html`<p dir="auto">${t(locale, 'finder.lastSeen', { place: lastSeen })}</p>`
}${hasPage && renderPosterLinks(path, scanUrl, locale)}</section>`;
}

function renderPosterLinks(path: string, scanUrl: string, locale: Locale): Html {
  return html`<h3>${t(locale, 'app.poster.title')}</h3>
<p class="small">${t(locale, 'app.poster.text')}</p>
<div class="actions"><a class="act plain" href="${path}/poster?paper=A4">${t(locale, 'app.poster.a4')}</a><a class="act plain" href="${path}/poster?paper=LETTER">${t(locale, 'app.poster.letter')}</a><button type="button" class="plain" data-script="share-file" data-file="${path}/poster?paper=A4" data-name="${t(locale, 'app.poster.title')}.pdf" data-url="${scanUrl}" hidden>${t(locale, 'app.poster.share')}</button></div>`;
}

function renderFacts(services: OwnerPageServices, { code, timeZone, locale }: CodePage): Html {
  const { counts, expiresAt, externalId, shortNumber } = code;
  const folder = getFolderId(code) === null ? null : code.folder;
  const number = new Intl.NumberFormat(locale.tag);
  const humans = t(locale, 'app.code.byPeople', { count: Number(counts?.humans ?? 0) });
  const scanUrl = getQrCodeScanUrl(services.publicBaseUrl, code.id);
  return html`<dl>${
    code.mode === 'DYNAMIC' && html`<dt>${t(locale, 'app.code.address')}</dt><dd dir="ltr">${scanUrl}</dd>`
  }${
    shortNumber !== null &&
    html`<dt>${t(locale, 'app.code.shortNumber')}</dt><dd>${renderShortNumber(shortNumber.number)}<div class="small">${t(locale, 'app.code.shortNumberHint')}</div></dd>`
  }${externalId !== null && html`<dt>${t(locale, 'app.code.number')}</dt><dd><bdi>${externalId}</bdi></dd>`}${
    folder !== null &&
    html`<dt>${t(locale, 'app.folders.folder')}</dt><dd><a href="${getCodesPath(services, code)}?folder=${folder.id}">${renderFolderLabel({ name: folder.name, color: parseFolderColor(folder.color) })}</a></dd>`
  }<dt>${t(locale, 'report.scans')}</dt><dd>${number.format(counts?.total ?? 0)} (${humans})</dd>${
    expiresAt !== null &&
    html`<dt>${t(locale, 'app.code.expires')}</dt><dd>${renderMoment(expiresAt, timeZone, locale)}</dd>`
  }</dl>`;
}

function renderDelete({ rights, token, locale }: CodePage, path: string): Html | null {
  if (!rights.canEdit) return null;
  return html`<section><h2>${t(locale, 'app.code.deleteTitle')}</h2><p>${t(locale, 'app.code.deleteText')}</p>
${renderForm({
  action: `${path}/delete`,
  token,
  submit: t(locale, 'app.code.deleteButton'),
  kind: 'danger',
})}</section>`;
}
