import type { CurrentUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  countLabelPages,
  getLabelPosition,
  LABEL_TEMPLATES,
  type LabelTemplate,
  type PrintSheetRecord,
  placeScanUrl,
} from '../../codes/index.ts';
import {
  renderField,
  renderForm,
  renderHiddenFields,
  renderNote,
  renderSelect,
  renderTabs,
} from '../components.ts';
import { renderMoment } from '../format-moment.ts';
import {
  getPaper,
  type PrintForm,
  TEMPLATE_GROUPS,
  TEXT_CHOICE_NAMES,
  TEXT_CHOICES,
  toPrintSheetBody,
  toSelectionParams,
} from './print-form.ts';

const GROUP_LABELS = {
  A4: 'app.sheets.groups.a4',
  LETTER: 'app.sheets.groups.letter',
  CARD: 'app.sheets.groups.card',
  ROLL: 'app.sheets.groups.roll',
} as const satisfies Record<LabelTemplate['group'], MessageKey>;

const PICTURE_WIDTH_PIXELS = 160;

export interface PrintPage {
  locale: Locale;
  /** Of the page. */
  path: string;
  token: string;
  user: CurrentUser;
  publicBaseUrl: string;
  form: PrintForm;
  /** Of the selected codes; a text says why they cannot be printed. */
  codes: number | { problem: string };
  sheets: readonly PrintSheetRecord[];
}

export function renderPrintPage(page: PrintPage): Html {
  const { locale, path, token, publicBaseUrl, form, codes, sheets } = page;
  const { template, startCell } = form;
  const body = toPrintSheetBody(form);
  const grid = { ...template };
  const placed = placeScanUrl(publicBaseUrl, {
    sheet: { grid, errorCorrection: null },
    texts: body.texts ?? [],
  });
  const selection = toSelectionParams(form);
  const hidden = {
    ...selection,
    template: template.id,
    texts: form.texts,
    startCell: String(startCell),
    calibrate: form.calibrate ? '1' : undefined,
  };
  const count = typeof codes === 'number' ? codes : 0;
  return html`${renderGroups(page)}<div class="split">${renderPicture(template, startCell, count)}<div>
<p>${typeof codes === 'number' ? t(locale, 'app.sheets.codes', { count: codes }) : codes.problem}</p>
<form method="get">${renderHiddenFields(selection)}${renderOptions(page)}<button class="plain">${t(locale, 'app.print.apply')}</button></form>
${
  placed
    ? html`<p>${t(locale, 'app.sheets.result', {
        pages: countLabelPages(template, count, startCell),
        size: formatMillimeters(placed.layout.symbol.side, locale),
      })}</p>${count > 0 && renderForm({ action: path, token, submit: t(locale, 'app.sheets.make'), hidden })}`
    : renderNote(t(locale, 'app.sheets.tooSmall'), 'wrong')
}<p class="small">${t(locale, 'app.sheets.hint')}</p></div></div>${
    sheets.length > 0 &&
    html`<h2>${t(locale, 'app.sheets.last')}</h2><ul class="cards">${sheets.map((sheet) => renderSheetLink(page, sheet))}</ul>`
  }`;
}

function renderGroups({ locale, path, user, form }: PrintPage): Html {
  const paper = getPaper(user);
  const groups = [paper, ...TEMPLATE_GROUPS.filter((group) => group !== paper)];
  const selection = listDefined(toSelectionParams(form));
  const tabs = groups.map((group) => ({
    href: `${path}?${new URLSearchParams({ ...selection, group }).toString()}`,
    label: t(locale, GROUP_LABELS[group]),
    isCurrent: group === form.template.group,
  }));
  return renderTabs(tabs, t(locale, 'app.sheets.template'));
}

function renderOptions({ locale, form }: PrintPage): Html {
  const { template, texts, startCell, calibrate } = form;
  const templates = LABEL_TEMPLATES.filter(({ group }) => group === template.group);
  return html`${renderSelect({
    name: 'template',
    label: t(locale, 'app.sheets.template'),
    value: template.id,
    script: 'submit-on-change',
    options: templates.map((one) => ({
      value: one.id,
      label: t(locale, 'app.sheets.measures', {
        name: one.name,
        width: formatNumber(one.width, locale),
        height: formatMillimeters(one.height, locale),
      }),
    })),
  })}${renderSelect({
    name: 'texts',
    label: t(locale, 'app.sheets.texts'),
    value: texts,
    script: 'submit-on-change',
    options: TEXT_CHOICE_NAMES.map((value) => ({ value, label: t(locale, TEXT_CHOICES[value].label) })),
  })}${
    template.columns * template.rows > 1 &&
    renderField(
      {
        name: 'startCell',
        label: t(locale, 'app.sheets.startCell'),
        hint: t(locale, 'app.sheets.startCellHint', {
          count: formatNumber(template.columns * template.rows, locale),
        }),
        value: String(startCell),
        type: 'number',
        script: 'submit-on-change',
      },
      [],
      locale,
    )
  }<label class="choice"><input type="checkbox" name="calibrate" value="1"${calibrate && html` checked`}> ${t(locale, 'app.sheets.calibrate')}</label>`;
}

function listDefined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** The first page: all labels, and which of them are printed. Patterns, as a sheet may have 189 labels. */
function renderPicture(template: LabelTemplate, startCell: number, count: number): Html {
  const { page, columns, rows, left, top, pitchX, pitchY, width, height } = template;
  const pixels = Math.round((PICTURE_WIDTH_PIXELS * page.height) / page.width);
  const pattern = (id: string) =>
    html`<pattern id="${id}" patternUnits="userSpaceOnUse" x="${left}" y="${top}" width="${pitchX}" height="${pitchY}"><rect width="${width}" height="${height}"/></pattern>`;
  const printed = { from: startCell - 1, to: Math.min(columns * rows, startCell - 1 + count) };
  return html`<svg class="sheet" viewBox="0 0 ${page.width} ${page.height}" width="${PICTURE_WIDTH_PIXELS}" height="${pixels}" aria-hidden="true">${pattern('free')}${pattern('used')}<path d="M0 0h${page.width}v${page.height}H0z"/><path fill="url(#free)" d="${createCellsPath(template, 0, columns * rows)}"/><path fill="url(#used)" d="${createCellsPath(template, printed.from, printed.to)}"/></svg>`;
}

/** A rectangle for complete rows, and one for each other row. */
function createCellsPath(template: LabelTemplate, from: number, to: number): string {
  const { columns, pitchX, pitchY } = template;
  let path = '';
  for (let cell = from; cell < to; ) {
    const column = cell % columns;
    const rows = column === 0 ? Math.max(1, Math.floor((to - cell) / columns)) : 1;
    const width = Math.min(columns - column, to - cell);
    const { x, y } = getLabelPosition(template, cell);
    const right = toShortNumber((width - 1) * pitchX + template.width);
    const down = toShortNumber((rows - 1) * pitchY + template.height);
    path += `M${toShortNumber(x)} ${toShortNumber(y)}h${right}v${down}h-${right}z`;
    cell += rows === 1 ? width : rows * columns;
  }
  return path;
}

function toShortNumber(value: number): number {
  return Math.round(value * 10) / 10;
}

function renderSheetLink({ locale, path, user }: PrintPage, sheet: PrintSheetRecord): Html {
  const at = renderMoment(sheet.createdAt, user, locale);
  return html`<li><div><h3><a href="${path}/${sheet.id}">${at}</a></h3><p class="small">${describeSheet(sheet, locale)}</p></div></li>`;
}

function describeSheet({ status, processed, codes, labels }: PrintSheetRecord, locale: Locale): string {
  if (status === 'WAITING')
    return t(locale, 'app.sheets.waiting', {
      done: formatNumber(processed, locale),
      total: formatNumber(codes, locale),
    });
  if (status === 'FAILED') return t(locale, 'app.sheets.failed');
  return t(locale, 'app.sheets.labels', { count: labels });
}

/** One PDF: its progress, then the download. */
export function renderSheet(
  { locale, path, token, user }: Pick<PrintPage, 'locale' | 'path' | 'token' | 'user'>,
  sheet: PrintSheetRecord,
  leftOut: number,
): Html {
  const address = `${path}/${sheet.id}`;
  const size = formatSize(Number(sheet.size ?? 0), locale);
  const isWaiting = sheet.status === 'WAITING';
  const live =
    isWaiting &&
    html` data-script="live" data-updates="${address}/updates" data-state="${getSheetState(sheet)}" data-text="${t(locale, 'app.sheets.changed')}"`;
  return html`<div id="sheet"${live}><p>${describeSheet(sheet, locale)}</p>${
    isWaiting &&
    html`<p><progress value="${sheet.processed}" max="${sheet.codes}"></progress></p><p><a href="${address}">${t(locale, 'app.sheets.refresh')}</a></p>`
  }${
    sheet.status === 'READY' &&
    html`<p><a class="act" href="${address}/content" download>${t(locale, 'app.settings.export.download', { size })}</a></p><p class="small">${t(locale, 'app.sheets.hint')}</p>`
  }${leftOut > 0 && renderNote(t(locale, 'app.sheets.leftOut', { count: leftOut }), 'wrong')}${
    sheet.expiresAt &&
    html`<p class="small">${translateHtml(locale, 'app.settings.export.until', { date: renderMoment(sheet.expiresAt, user, locale) })}</p>`
  }</div>${renderForm({ action: `${address}/delete`, token, submit: t(locale, isWaiting ? 'app.sheets.cancel' : 'app.code.deleteTitle'), kind: 'danger' })}<p><a href="${path}">${t(locale, 'app.sheets.more')}</a></p>`;
}

/** What a page that updates itself compares. */
export function getSheetState({ status, processed }: PrintSheetRecord): string {
  return `${status} ${processed}`;
}

function formatNumber(value: number, { tag }: Locale): string {
  return new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }).format(value);
}

function formatMillimeters(value: number, { tag }: Locale): string {
  const options = { style: 'unit', unit: 'millimeter', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(tag, options).format(value);
}

function formatSize(bytes: number, { tag }: Locale): string {
  const unit = bytes < 1_000_000 ? 'kilobyte' : 'megabyte';
  const amount = Math.max(1, Math.round(bytes / (unit === 'kilobyte' ? 1_000 : 1_000_000)));
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).format(amount);
}
