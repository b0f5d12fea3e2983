import { type TProperties, Type } from 'typebox';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { renderNote } from '../components.ts';

const DONE_MESSAGES = {
  pause: 'app.codes.selected.paused',
  resume: 'app.codes.selected.resumed',
  delete: 'app.codes.selected.deleted',
  restore: 'app.codes.selected.restored',
  change: 'app.codes.selected.changed',
} as const satisfies Record<string, MessageKey>;

export type SelectionAction = keyof typeof DONE_MESSAGES;

/** Why a code was left out, by its name in the address. */
const LEFT_OUT_MESSAGES = {
  unchanged: 'app.codes.selected.unchanged',
  notActive: 'app.codes.selected.notActive',
  notPaused: 'app.codes.selected.notPaused',
  gone: 'app.codes.selected.gone',
  plan: 'app.codes.selected.plan',
  included: 'app.codes.selected.included',
  number: 'app.codes.selected.number',
  data: 'app.codes.selected.data',
  busy: 'app.codes.selected.busy',
  failed: 'app.codes.selected.failed',
} as const satisfies Record<string, MessageKey>;

export type LeftOutReason = keyof typeof LEFT_OUT_MESSAGES;

const LEFT_OUT_REASONS = Object.keys(LEFT_OUT_MESSAGES) as LeftOutReason[];

const REASONS_BY_ERROR: Readonly<Record<string, LeftOutReason>> = {
  NOT_FOUND: 'gone',
  PLAN_LIMIT_REACHED: 'plan',
  EXTERNAL_ID_TAKEN: 'number',
  CONFLICT: 'busy',
};

export interface SelectionResult {
  count: number;
  leftOut: readonly LeftOutReason[];
}

/** What was done with selected codes, in the address of a table. */
export const SELECTION_PARAMS: TProperties = {
  selected: Type.Optional(Type.String()),
  count: Type.Optional(Type.String()),
  ...Object.fromEntries(LEFT_OUT_REASONS.map((reason) => [reason, Type.Optional(Type.String())])),
};

interface CodeError {
  code: string;
  errors?: readonly { field: string }[] | undefined;
}

/** Get why a code was left out from the error of its change. */
export function toLeftOutReason({ code, errors = [] }: CodeError): LeftOutReason {
  if (errors.some(({ field }) => field.startsWith('metadata'))) return 'data';
  return REASONS_BY_ERROR[code] ?? 'failed';
}

/** As `toLeftOutReason`. @throws what is no error of the code itself */
export function parseLeftOutReason(error: unknown): LeftOutReason {
  const isOfCode = error instanceof ServiceError && error.statusCode < 500 && error.statusCode !== 429;
  if (!isOfCode) throw error;
  return toLeftOutReason(error);
}

/** Format the address of the table that says what was done. */
export function formatSelectionResult(
  path: string,
  action: SelectionAction,
  { count, leftOut }: SelectionResult,
): string {
  const query = new URLSearchParams({ selected: action, count: String(count) });
  for (const reason of new Set(leftOut))
    query.set(reason, String(leftOut.filter((one) => one === reason).length));
  return `${path}?${query}`;
}

/** Render what was done with selected codes, and how many were left out for which reason. */
export function renderSelectionResult(
  codesPath: string,
  query: Readonly<Record<string, unknown>>,
  locale: Locale,
): Html | null {
  const { selected } = query;
  if (selected === 'print') return renderNote(t(locale, 'app.codes.selected.none'), 'wrong');
  if (!isKeyOf(DONE_MESSAGES, selected)) return null;
  const count = toCount(query.count);
  const leftOut = LEFT_OUT_REASONS.map((reason) => ({ reason, count: toCount(query[reason]) })).filter(
    (one) => one.count > 0,
  );
  if (count === 0 && leftOut.length === 0) return renderNote(t(locale, 'app.codes.selected.none'), 'wrong');
  const undo =
    selected === 'delete' &&
    html` <a href="${codesPath}/deleted">${t(locale, 'app.codes.selected.undo')}</a>`;
  return html`${count > 0 && renderNote(html`${t(locale, DONE_MESSAGES[selected], { count })}${undo}`)}${leftOut.map(
    (one) => renderNote(t(locale, LEFT_OUT_MESSAGES[one.reason], { count: one.count }), 'wrong'),
  )}`;
}

function toCount(text: unknown): number {
  return typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0;
}
