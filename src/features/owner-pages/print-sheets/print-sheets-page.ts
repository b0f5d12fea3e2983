import type { CurrentUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  countLabelPages,
  type LabelFailure,
  type PrintSheetRecord,
  placeScanUrl,
} from '../../codes/index.ts';
import { renderErrorSummary, renderForm, renderHiddenFields, renderNote, renderTabs } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { formatSize } from '../format-size.ts';
import { formatMillimeters, formatNumber } from './format-millimeters.ts';
import {
  getFormGrid,
  getPaper,
  type PrintForm,
  TEMPLATE_GROUPS,
  type TemplateGroup,
  toSelectionParams,
} from './print-form.ts';
import { renderOptions } from './print-options.ts';
import { renderSheetPicture } from './sheet-picture.ts';

const GROUP_LABELS = {
  A4: 'app.sheets.groups.a4',
  LETTER: 'app.sheets.groups.letter',
  CARD: 'app.sheets.groups.card',
  ROLL: 'app.sheets.groups.roll',
  CUSTOM: 'app.sheets.groups.custom',
} as const satisfies Record<TemplateGroup, MessageKey>;

export interface PrintPage {
  locale: Locale;
  /** Of the page. */
  path: string;
  token: FormToken;
  user: CurrentUser;
  publicBaseUrl: string;
  form: PrintForm;
  /** Of the selected codes; a text says why they cannot be printed. */
  codes: number | { problem: string };
  sheets: readonly PrintSheetRecord[];
}

export function renderPrintPage(page: PrintPage): Html {
  const { locale, path, form, codes, sheets } = page;
  const isValid = form.errors.length === 0;
  const count = typeof codes === 'number' ? codes : 0;
  const picture = isValid
    ? renderSheetPicture(getFormGrid(form), form.body.startCell ?? 1, count)
    : html`<div></div>`;
  return html`${renderGroups(page)}${renderErrorSummary(form.errors, locale)}<div class="split">${picture}<div>
<p>${typeof codes === 'number' ? t(locale, 'app.sheets.codes', { count: codes }) : codes.problem}</p>
<form method="get">${renderHiddenFields(toSelectionParams(form))}${renderOptions(form, locale)}<button class="plain">${t(locale, 'app.print.apply')}</button><button class="plain" formaction="${path}/calibration">${t(locale, 'app.sheets.calibration')}</button></form>
${isValid && renderMakeForm(page, count)}<p class="small">${t(locale, 'app.sheets.hint')}</p></div></div>${
    sheets.length > 0 &&
    html`<h2>${t(locale, 'app.sheets.last')}</h2><ul class="cards">${sheets.map((sheet) => renderSheetLink(page, sheet))}</ul>`
  }`;
}

function renderMakeForm({ locale, path, token, publicBaseUrl, form }: PrintPage, count: number): Html {
  const grid = getFormGrid(form);
  const { texts = [], startCell = 1 } = form.body;
  const placed = placeScanUrl(publicBaseUrl, { sheet: { grid, errorCorrection: null }, texts });
  if (!placed) return renderNote(t(locale, 'app.sheets.tooSmall'), 'wrong');
  const result = t(locale, 'app.sheets.result', {
    pages: countLabelPages(grid, count, startCell),
    size: formatMillimeters(placed.layout.symbol.side, locale),
  });
  const hidden = { ...toSelectionParams(form), ...form.options };
  return html`<p>${result}</p>${count > 0 && renderForm({ action: path, token, submit: t(locale, 'app.sheets.make'), hidden })}`;
}

function renderGroups({ locale, path, user, form }: PrintPage): Html {
  const paper = getPaper(user);
  const groups = [paper, ...TEMPLATE_GROUPS.filter((group) => group !== paper)];
  const selection = listDefined(toSelectionParams(form));
  const tabs = groups.map((group) => ({
    href: `${path}?${new URLSearchParams({ ...selection, group }).toString()}`,
    label: t(locale, GROUP_LABELS[group]),
    isCurrent: group === form.group,
  }));
  return renderTabs(tabs, t(locale, 'app.sheets.template'));
}

function listDefined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

function renderSheetLink({ locale, path, user }: PrintPage, sheet: PrintSheetRecord): Html {
  const at = renderMoment(sheet.createdAt, user, locale);
  return html`<li><div><h3><a href="${path}/${sheet.id}">${at}</a></h3><p class="small">${describeSheet(sheet, locale)}</p></div></li>`;
}

function describeSheet(
  { status, processed, codes, labels, decoded }: PrintSheetRecord,
  locale: Locale,
): string {
  if (status === 'WAITING' && processed === codes)
    return t(locale, 'app.sheets.decoding', {
      done: formatNumber(decoded, locale),
      total: formatNumber(labels, locale),
    });
  if (status === 'WAITING')
    return t(locale, 'app.sheets.waiting', {
      done: formatNumber(processed, locale),
      total: formatNumber(codes, locale),
    });
  if (status === 'FAILED') return t(locale, 'app.sheets.failed');
  return t(locale, 'app.sheets.labels', { count: labels });
}

const ADVICE_MESSAGES = {
  LARGER_LABEL: 'app.sheets.advice.larger',
  LIGHTER_BACKGROUND: 'app.sheets.advice.lighter',
  SMALLER_OFFSET: 'app.sheets.advice.offset',
} as const satisfies Record<LabelFailure['advice'][number], MessageKey>;

/** Say which code cannot be read from its label, and what to change. */
export function renderLabelFailure(
  { page, label, advice }: LabelFailure,
  codePath: string,
  locale: Locale,
): Html {
  const changes = advice.map((name) => t(locale, ADVICE_MESSAGES[name]));
  return renderNote(
    html`${t(locale, 'app.sheets.unreadable', { page: formatNumber(page, locale), label: formatNumber(label, locale) })} ${changes.join(' ')} <a href="${codePath}">${t(locale, 'app.sheets.unreadableCode')}</a>`,
    'wrong',
  );
}

/** One PDF: its progress, then the download. */
export function renderSheet(
  { locale, path, token, user }: Pick<PrintPage, 'locale' | 'path' | 'token' | 'user'>,
  sheet: PrintSheetRecord,
  { leftOut, failure, canDownload }: { leftOut: number; failure: Html | null; canDownload: boolean },
): Html {
  const address = `${path}/${sheet.id}`;
  const size = formatSize(Number(sheet.size ?? 0), locale);
  const isWaiting = sheet.status === 'WAITING';
  const live =
    isWaiting &&
    html` data-script="live" data-updates="${address}/updates" data-state="${getSheetState(sheet)}" data-text="${t(locale, 'app.sheets.changed')}"`;
  return html`<div id="sheet"${live}>${failure ?? html`<p>${describeSheet(sheet, locale)}</p>`}${
    isWaiting &&
    html`<p><progress value="${sheet.processed + sheet.decoded}" max="${sheet.codes + (sheet.labels || sheet.codes)}"></progress></p><p><a href="${address}">${t(locale, 'app.sheets.refresh')}</a></p>`
  }${
    sheet.status === 'READY' &&
    canDownload &&
    html`<p><a class="act" href="${address}/content" download>${t(locale, 'app.settings.export.download', { size })}</a></p><p class="small">${t(locale, 'app.sheets.hint')}</p>`
  }${leftOut > 0 && renderNote(t(locale, 'app.sheets.leftOut', { count: leftOut }), 'wrong')}${
    sheet.expiresAt &&
    html`<p class="small">${translateHtml(locale, 'app.settings.export.until', { date: renderMoment(sheet.expiresAt, user, locale) })}</p>`
  }</div>${renderForm({ action: `${address}/delete`, token, submit: t(locale, isWaiting ? 'app.sheets.cancel' : 'app.code.deleteTitle'), kind: 'danger' })}<p><a href="${path}">${t(locale, 'app.sheets.more')}</a></p>`;
}

/** What a page that updates itself compares. */
export function getSheetState({ status, processed, decoded }: PrintSheetRecord): string {
  return `${status}-${processed}-${decoded}`;
}
