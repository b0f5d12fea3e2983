import { API_KEY_SCOPES } from '../../../permissions.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../shared/durations.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { toApiKeyView } from '../../identity/index.ts';
import {
  type FormErrors,
  renderConfirmation,
  renderEmptyState,
  renderField,
  renderForm,
  renderNote,
  renderSelect,
  translateFieldError,
} from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';

type ApiKeyView = ReturnType<typeof toApiKeyView>;

interface Reader {
  /** Of the tab. */
  path: string;
  user: { id: string; timeZone: string };
  locale: Locale;
}

/** Before the scopes in a form. */
export const SCOPE_PREFIX = 'scope-';

export const LIFETIME_DAYS = [30, 90, 365] as const;

const DEFAULT_LIFETIME_DAYS = 365;

export const OVERLAP_SECONDS = [0, HOUR_SECONDS, DAY_SECONDS, 7 * DAY_SECONDS] as const;

const STATUS_LABELS = {
  ACTIVE: 'app.developers.status.active',
  EXPIRED: 'app.developers.status.expired',
  REVOKED: 'app.developers.status.revoked',
  STOPPED: 'app.developers.status.stopped',
} as const satisfies Record<ApiKeyView['status'], MessageKey>;

const STOP_REASONS = {
  CREATOR_LEFT: 'app.developers.stopped.left',
  CREATOR_SUSPENDED: 'app.developers.stopped.suspended',
  CREATOR_DEMOTED: 'app.developers.stopped.demoted',
} as const satisfies Record<NonNullable<ApiKeyView['stopReason']>, MessageKey>;

/** Render the list of keys. */
export function renderApiKeys({
  keys,
  readsEvents,
  ...reader
}: Reader & { keys: readonly ApiKeyView[]; readsEvents: boolean }): Html {
  const { path, locale } = reader;
  const list =
    keys.length > 0
      ? html`<ul class="cards rows">${keys.map((key) => renderEntry(reader, key))}</ul>`
      : renderEmptyState(t(locale, 'app.developers.none'));
  return html`<section><h2>${t(locale, 'app.developers.keys')}</h2><p>${t(locale, 'app.developers.text')}</p>
<p><a class="act" href="${path}/keys/new">${t(locale, 'app.developers.newKey')}</a></p>
${list}</section>
${
  readsEvents &&
  html`<section><h2>${t(locale, 'app.webhooks.title')}</h2><p>${t(locale, 'app.webhooks.text')}</p>
<p><a class="act plain" href="${path}/webhooks">${t(locale, 'app.webhooks.show')}</a></p></section>
<section><h2>${t(locale, 'app.developers.events')}</h2><p>${t(locale, 'app.developers.eventsText')}</p>
<p><a class="act plain" href="${path}/events">${t(locale, 'app.developers.showEvents')}</a></p></section>`
}`;
}

function renderEntry({ path, user, locale }: Reader, key: ApiKeyView): Html {
  return html`<li><div><h3><a href="${path}/keys/${key.id}"><bdi>${key.name}</bdi></a></h3><p class="small"><code dir="ltr">${key.prefix}…</code> · ${renderLastUse(key, user, locale)}${renderMaker(key, user, locale)}</p></div><span class="chip">${t(locale, STATUS_LABELS[key.status])}</span></li>\n`;
}

/** Who made a key, unless it was the reader. */
function renderMaker({ createdBy: { id, name } }: ApiKeyView, user: Reader['user'], locale: Locale) {
  if (id === user.id || name === null) return;
  return html` · ${translateHtml(locale, 'app.developers.madeBy', { name: html`<bdi>${name}</bdi>` })}`;
}

function renderLastUse({ lastUsedAt }: ApiKeyView, user: Reader['user'], locale: Locale): Html | string {
  if (lastUsedAt === null) return t(locale, 'app.developers.neverUsed');
  return translateHtml(locale, 'app.developers.lastUsed', {
    date: renderMoment(new Date(lastUsedAt), user, locale),
  });
}

interface NewApiKey {
  path: string;
  token: FormToken;
  /** So that a form that is sent twice makes one key. */
  key: string;
  values: Readonly<Record<string, string>>;
  errors: FormErrors;
  locale: Locale;
}

export function renderNewApiKey({ path, token, key, values, errors, locale }: NewApiKey): Html {
  const scopesError = errors.find(({ field }) => field === 'scopes');
  const describedBy = scopesError && html` aria-describedby="scopes-error"`;
  return renderForm({
    action: `${path}/keys`,
    token,
    submit: t(locale, 'app.developers.create'),
    hidden: { key },
    fields: [
      renderField(
        {
          name: 'name',
          label: t(locale, 'app.developers.name'),
          hint: t(locale, 'app.developers.nameHint'),
          value: values.name,
          maxLength: 100,
          autocomplete: 'off',
          isRequired: true,
        },
        errors,
        locale,
      ),
      html`<fieldset class="group" id="scopes"${describedBy}><legend>${t(locale, 'app.developers.scopes')}</legend>${scopesError && html`<p class="error" id="scopes-error">${translateFieldError(scopesError, locale)}</p>`}${API_KEY_SCOPES.map(
        (scope) =>
          html`<label class="choice"><input type="checkbox" name="${SCOPE_PREFIX}${scope}" value="1"${values[SCOPE_PREFIX + scope] !== undefined && html` checked`}> <code dir="ltr">${scope}</code></label>\n`,
      )}</fieldset>\n`,
      renderSelect({
        name: 'days',
        label: t(locale, 'app.developers.validFor'),
        value: values.days ?? String(DEFAULT_LIFETIME_DAYS),
        options: [
          ...LIFETIME_DAYS.map((count) => ({
            value: String(count),
            label: t(locale, 'app.developers.days', { count }),
          })),
          { value: '', label: t(locale, 'app.developers.noEnd') },
        ],
      }),
    ],
  });
}

/** Render a key, with the ways to replace it, to take it over and to end it. */
export function renderApiKey({
  path,
  token,
  key,
  canTakeOver,
  user,
  locale,
}: Reader & { token: FormToken; key: ApiKeyView; canTakeOver: boolean }): Html {
  const { expiresAt, previousTokenExpiresAt, stopReason } = key;
  const isOwn = key.createdBy.id === user.id;
  const isStopped = key.status === 'STOPPED';
  const action = `${path}/keys/${key.id}`;
  const facts = html`<p><span class="chip">${t(locale, STATUS_LABELS[key.status])}</span> <code dir="ltr">${key.prefix}…</code></p>
${stopReason && renderNote(t(locale, STOP_REASONS[stopReason]), 'wrong')}
<p>${renderLastUse(key, user, locale)}${renderMaker(key, user, locale)}${
    expiresAt !== null &&
    html`<br>${translateHtml(locale, 'app.developers.validUntil', { date: renderMoment(new Date(expiresAt), user, locale) })}`
  }${
    previousTokenExpiresAt !== null &&
    html`<br>${translateHtml(locale, 'app.developers.oldUntil', { date: renderMoment(new Date(previousTokenExpiresAt), user, locale) })}`
  }</p>
<h2>${t(locale, 'app.developers.scopes')}</h2><ul>${key.scopes.map((scope) => html`<li><code dir="ltr">${scope}</code></li>`)}</ul>`;
  if (key.status === 'EXPIRED' || key.status === 'REVOKED') return facts;
  const overlap = renderSelect({
    name: 'overlap',
    label: t(locale, 'app.developers.overlap'),
    value: String(DAY_SECONDS),
    options: OVERLAP_SECONDS.map((seconds) => ({
      value: String(seconds),
      label: formatOverlap(seconds, locale),
    })),
  });
  return html`${facts}
${
  isOwn &&
  html`<h2>${t(locale, 'app.developers.rotate')}</h2><p>${t(locale, 'app.developers.rotateText')}</p>
${renderForm({ action: `${action}/rotate`, token, fields: overlap, submit: t(locale, 'app.developers.rotate') })}`
}
${
  !isOwn &&
  canTakeOver &&
  html`<h2>${t(locale, 'app.developers.takeOver')}</h2><p>${t(locale, isStopped ? 'app.developers.takeOverStopped' : 'app.developers.rotateText')} ${t(locale, 'app.developers.takeOverText')}</p>
${renderForm({ action: `${action}/take-over`, token, ...(!isStopped && { fields: overlap }), submit: t(locale, 'app.developers.takeOver') })}`
}
${renderConfirmation(t(locale, 'app.developers.revoke'), t(locale, 'app.developers.revokeText'), {
  action: `${action}/revoke`,
  token,
  submit: t(locale, 'app.developers.revoke'),
  kind: 'danger',
})}`;
}

/** Format how long a replaced secret works on. */
export function formatOverlap(seconds: number, locale: Locale): string {
  if (seconds === 0) return t(locale, 'app.developers.noOverlap');
  const days = seconds / DAY_SECONDS;
  return days >= 1
    ? t(locale, 'app.developers.days', { count: days })
    : t(locale, 'app.developers.hours', { count: seconds / HOUR_SECONDS });
}
