import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  type BatchRecord,
  type BatchTagRow,
  formatShortNumber,
  getTagStatus,
  MAX_ARCHIVE_IMAGES,
  MAX_PRINT_SHEET_CODES,
} from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import {
  renderConfirmation,
  renderField,
  renderForm,
  renderHiddenFields,
  renderNote,
} from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { TAG_STATUS_LABELS, translateBatchStatus } from './batch-parts.ts';

export const TAGS_PER_PAGE = 50;

export interface BatchPage {
  accountPath: string;
  listPath: string;
  /** Of the page. */
  path: string;
  token: FormToken;
  row: BatchRecord;
  /** Changes when the page would. */
  state: string;
  /** Some of them, and one more where there are others. */
  tags: readonly BatchTagRow[];
  user: { timeZone: string };
  locale: Locale;
}

/** Render how far a batch is, what became of its tags, and what can be done with them. */
export function renderBatch(page: BatchPage): Html {
  const { row, locale, listPath, path, user, token, state } = page;
  const isOpen = row.finishedAt === null;
  const claim = t(locale, row.claim === 'BY_CODE' ? 'app.batches.claimByCode' : 'app.batches.claimOpen');
  return html`<p class="small">${translateHtml(locale, 'app.imports.begun', { date: renderMoment(row.createdAt, user, locale) })} · ${translateQrCodeKind(locale, row.kind)} · ${t(locale, 'app.batches.claim')}: ${claim}</p>
<div id="batch"${isOpen && html` data-script="live" data-updates="${path}/updates" data-state="${state}" data-seconds="2" data-text="${t(locale, 'app.batches.changed')}"`}>${isOpen ? renderProgress(page) : renderEnd(row, locale)}
${renderFacts(row, locale)}</div>
${!isOpen && row.created > 0 && html`${renderLinks(page)}${renderMarks(page)}${renderTags(page)}`}
${!isOpen && renderConfirmation(t(locale, 'app.batches.delete'), t(locale, 'app.batches.deleteText'), { action: `${path}/delete`, token, submit: t(locale, 'app.batches.delete'), kind: 'danger' })}
<p class="actions"><a class="act plain" href="${listPath}">${t(locale, 'app.batches.title')}</a></p>`;
}

function renderProgress({ row, path, token, locale }: BatchPage): Html {
  return html`<p><progress max="${row.size}" value="${row.created}" aria-label="${t(locale, 'app.imports.progress')}"></progress></p>
<p>${t(locale, 'app.batches.created', { count: row.created })}</p><p class="small">${t(locale, 'app.batches.runs')}</p>
<div class="actions"><a class="act plain" href="${path}">${t(locale, 'app.imports.refresh')}</a>${renderForm({ action: `${path}/cancel`, token, submit: t(locale, 'app.batches.stop'), kind: 'danger' })}</div>`;
}

function renderEnd(row: BatchRecord, locale: Locale): Html | null {
  if (row.status === 'FAILED') return renderNote(t(locale, 'app.batches.failed'), 'wrong');
  return row.status === 'CANCELED' ? renderNote(translateBatchStatus(row, locale)) : null;
}

function renderFacts({ created, printed, handedOut, scanned, claimed }: BatchRecord, locale: Locale): Html {
  const format = new Intl.NumberFormat(locale.tag);
  const facts = [
    [t(locale, 'app.batches.tags'), created],
    [t(locale, 'app.batches.printed'), printed],
    [t(locale, 'app.batches.handedOut'), handedOut],
    [t(locale, 'app.batches.scanned'), scanned],
    [t(locale, 'app.batches.claimed'), claimed],
  ] as const;
  return html`<dl>${facts.map(([label, count]) => html`<dt>${label}</dt><dd>${format.format(count)}</dd>`)}</dl>`;
}

function renderLinks({ row, accountPath, path, token, locale }: BatchPage): Html {
  const tags = new URLSearchParams({ batchId: row.id, sort: 'title' });
  return html`<p class="actions"><a class="act plain" href="${accountPath}/codes?${tags.toString()}">${t(locale, 'app.batches.codes')}</a>${token !== null && html`<a class="act plain" href="${path}/export" download>${t(locale, 'app.batches.export')}</a>`}</p>
${renderPrint({ row, accountPath, path, locale })}`;
}

/** Render the form of the labels and images of some tags: all can be too many for one file. */
function renderPrint({
  row,
  accountPath,
  path,
  locale,
}: Pick<BatchPage, 'row' | 'accountPath' | 'path' | 'locale'>): Html {
  const { format } = new Intl.NumberFormat(locale.tag);
  const numbers = { inputMode: 'numeric', isRequired: true } as const;
  const from = { ...numbers, name: 'tagFrom', label: t(locale, 'app.batches.from'), value: '1' };
  const to = {
    ...numbers,
    name: 'tagTo',
    label: t(locale, 'app.batches.to'),
    hint: t(locale, 'app.batches.partHint', {
      images: format(MAX_ARCHIVE_IMAGES),
      labels: format(MAX_PRINT_SHEET_CODES),
    }),
    value: String(Math.min(row.created, MAX_ARCHIVE_IMAGES)),
  };
  const images = (['png', 'svg'] as const).map(
    (name) =>
      html`<button class="plain" name="format" value="${name}">${t(locale, 'app.batches.images', { format: name.toUpperCase() })}</button>`,
  );
  return html`<form class="narrow" action="${path}/images">${renderHiddenFields({ batchId: row.id, sort: 'title' })}${renderField(from, [], locale)}${renderField(to, [], locale)}<button formaction="${accountPath}/print">${t(locale, 'app.sheets.title')}</button>${images}</form>`;
}

function renderMarks({ row, path, token, locale }: BatchPage): Html | null {
  if (token === null) return null;
  const numbers = { inputMode: 'numeric', isRequired: true } as const;
  const from = { ...numbers, name: 'from', label: t(locale, 'app.batches.from'), value: '1' };
  const to = { ...numbers, name: 'to', label: t(locale, 'app.batches.to'), value: String(row.created) };
  return html`<section><h2>${t(locale, 'app.batches.mark')}</h2>${renderForm({
    action: `${path}/tags`,
    token,
    className: 'narrow',
    submit: t(locale, 'app.batches.markHandedOut'),
    fields: [renderField(from, [], locale), renderField(to, [], locale)],
    others: html`<button class="plain" name="mark" value="printed">${t(locale, 'app.batches.markPrinted')}</button><button class="plain" name="mark" value="not-handed-out">${t(locale, 'app.batches.unmarkHandedOut')}</button><button class="plain" name="mark" value="not-printed">${t(locale, 'app.batches.unmarkPrinted')}</button>`,
  })}</section>`;
}

function renderTags({ tags, path, locale }: BatchPage): Html {
  const rows = tags.slice(0, TAGS_PER_PAGE);
  const next = tags[TAGS_PER_PAGE];
  return html`<section><h2>${t(locale, 'app.batches.tags')}</h2><div class="table" tabindex="0"><table><thead><tr><th scope="col">${t(locale, 'app.batches.number')}</th><th scope="col">${t(locale, 'app.code.shortNumber')}</th><th scope="col">${t(locale, 'app.codes.status')}</th></tr></thead><tbody>${rows.map(
    (tag) =>
      html`<tr><td>${tag.position}</td><td><bdi>${formatShortNumber(tag.shortNumber)}</bdi></td><td>${t(locale, TAG_STATUS_LABELS[getTagStatus(tag)])}</td></tr>\n`,
  )}</tbody></table></div>${next && html`<p><a href="${path}?from=${next.position}">${t(locale, 'app.batches.more')}</a></p>`}</section>`;
}
