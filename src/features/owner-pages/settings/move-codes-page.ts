import type { ServiceErrorCode } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import type { CodeMoveRecord } from '../../transfers/index.ts';
import { renderEmptyState, renderForm, renderSelect } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

/** An account that codes can be moved from, or to. */
export interface MovableAccount {
  id: string;
  /** Null for the personal one. */
  name: string | null;
}

interface MoveCodesPage {
  from: MovableAccount;
  targets: readonly MovableAccount[];
  /** Selected by the link that leads here. */
  to: string | undefined;
  ids: readonly string[];
  /** How many codes are moved. */
  count: number;
  moves: readonly CodeMoveRecord[];
  getName(accountId: string): string;
  organizationsPath: string;
  /** Of the form. */
  action: string;
  token: string;
  formKey: string;
  user: { timeZone: string };
  locale: Locale;
}

const FAILURES = {
  PLAN_LIMIT_REACHED: 'app.moves.failure.plan',
  FORBIDDEN: 'app.moves.failure.role',
  NOT_FOUND: 'app.moves.failure.role',
  ORGANIZATION_CLOSED: 'app.moves.failure.role',
} as const satisfies Partial<Record<ServiceErrorCode, MessageKey>>;

/** Render the form that moves codes of an account to another one of the user, and the last moves. */
export function renderMoveCodes(page: MoveCodesPage): Html {
  const { moves, locale } = page;
  return html`<p>${t(locale, 'app.moves.text')}</p>
${renderMoveForm(page)}${
  moves.length > 0 &&
  html`<section><h2>${t(locale, 'app.moves.recent')}</h2><ul class="cards rows">${moves.map((move) => renderMove(page, move))}</ul></section>`
}`;
}

function renderMoveForm(page: MoveCodesPage): Html {
  const { from, targets, to, ids, count, organizationsPath, action, token, formKey, locale } = page;
  if (targets.length === 0)
    return renderEmptyState(
      t(locale, 'app.moves.none'),
      html`<a class="act" href="${organizationsPath}">${t(locale, 'app.organizations.new')}</a>`,
    );
  if (count === 0) return renderEmptyState(t(locale, 'app.moves.nothing'));
  return renderForm({
    action,
    token,
    submit: t(locale, 'app.moves.submit'),
    hidden: { from: from.id, ids: ids.length > 0 ? ids.join(',') : undefined, key: formKey },
    fields: html`<p><bdi>${page.getName(from.id)}</bdi> · ${t(locale, ids.length > 0 ? 'app.moves.selected' : 'app.moves.all', { count })}</p>${renderSelect(
      {
        name: 'to',
        label: t(locale, 'app.moves.to'),
        value: to,
        options: targets.map(({ id }) => ({ value: id, label: page.getName(id) })),
      },
    )}`,
  });
}

function renderMove({ getName, user, action, locale }: MoveCodesPage, move: CodeMoveRecord): Html {
  const { accountId, toAccountId, createdAt, status, codes, moved, failure } = move;
  const leftOut = Array.isArray(move.leftOut) ? move.leftOut.length : 0;
  const isWaiting = status === 'WAITING';
  const progress = t(locale, isWaiting ? 'app.moves.waiting' : 'app.moves.moved', { moved, codes });
  const reason =
    failure === null
      ? null
      : t(locale, isKeyOf(FAILURES, failure) ? FAILURES[failure] : 'app.moves.failure.other');
  return html`<li><div><h3><bdi>${getName(accountId)}</bdi> → <bdi>${getName(toAccountId)}</bdi></h3><p class="small">${renderMoment(createdAt, user, locale)} · ${progress}${reason && html` ${reason}`}${leftOut > 0 && html` ${t(locale, 'app.moves.leftOut', { count: leftOut })}`}</p></div>${
    isWaiting && html`<a class="act plain" href="${action}">${t(locale, 'app.sheets.refresh')}</a>`
  }</li>\n`;
}
