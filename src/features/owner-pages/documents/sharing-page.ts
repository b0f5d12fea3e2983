import { DAY_SECONDS, HOUR_SECONDS } from '../../../shared/durations.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { SHARE_STATES, toDocumentGrantView, toDocumentShareView } from '../../documents/index.ts';
import { type FormErrors, renderField, renderForm } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';

type Share = ReturnType<typeof toDocumentShareView>;
type Grant = ReturnType<typeof toDocumentGrantView>;
type DocumentCode = { id: string; title: string };

interface SharingPage {
  path: string;
  token: FormToken;
  timeZone: string;
  locale: Locale;
  /** Links need a passcode and an early end. */
  isStrict: boolean;
  shares: readonly Share[];
  /** Those of kind DOCUMENT, whose pages can offer it. */
  codes: readonly DocumentCode[];
  codesPath: string;
  grants: readonly Grant[];
  errors: FormErrors;
  values: Partial<Record<string, string>>;
}

const STATE_LABELS = {
  ACTIVE: 'app.codes.statuses.ACTIVE',
  ENDED: 'app.documents.states.ENDED',
  EXPIRED: 'app.codes.statuses.EXPIRED',
  USED_UP: 'app.documents.states.USED_UP',
  NOT_ALLOWED: 'app.documents.states.NOT_ALLOWED',
} as const satisfies Record<(typeof SHARE_STATES)[number], MessageKey>;

/** Render who can open a document, and the forms that change it. */
export function renderSharing(page: SharingPage): Html {
  const { token, shares, grants, locale } = page;
  const canShare = token !== null;
  return html`${
    (canShare || shares.length > 0) &&
    html`<section id="share"><h2>${t(locale, 'app.documents.shareLink')}</h2>${canShare && html`<p>${t(locale, 'app.documents.shareText')}</p>\n${renderShareForms(page)}`}${renderLinks(page)}</section>\n`
  }${
    (canShare || grants.length > 0) &&
    html`<section><h2>${t(locale, 'app.documents.people')}</h2><p>${t(locale, 'app.documents.peopleText')}</p>\n${renderGrants(page)}${canShare && renderGrantForm(page)}</section>`
  }`;
}

/** Most links are for a day: one button does that. */
function renderShareForms(page: SharingPage): Html {
  const { path, token, locale, isStrict, errors, values } = page;
  const action = `${path}/shares`;
  const isOpen = errors.some(({ field }) => field !== 'email') || values.duration !== undefined;
  const oneDay = renderForm({
    action,
    token,
    submit: t(locale, 'app.documents.shareDay'),
    hidden: { key: generateId(), duration: String(DAY_SECONDS) },
  });
  const fields = renderForm({
    action,
    token,
    submit: t(locale, 'app.documents.createLink'),
    hidden: { key: generateId() },
    fields: renderShareFields(page),
    ...(!isStrict && { kind: 'plain' }),
  });
  if (isStrict)
    return html`<p>${t(locale, 'app.documents.strict', { count: getMaxStrictDays() })}</p><div class="narrow">${fields}</div>`;
  return html`${oneDay}<details${isOpen && html` open`}><summary>${t(locale, 'app.documents.shareOther')}</summary><div class="narrow">${fields}</div></details>`;
}

function renderShareFields({ locale, isStrict, codes, errors, values }: SharingPage): Html[] {
  const seconds = [HOUR_SECONDS, DAY_SECONDS, 7 * DAY_SECONDS, 30 * DAY_SECONDS, 365 * DAY_SECONDS];
  const allowed = isStrict
    ? seconds.filter((one) => one <= LIFETIMES_SECONDS.enterpriseHealthShare)
    : seconds;
  const options = [
    ...allowed.map((one) => ({ value: String(one), label: formatDuration(one, locale) })),
    ...(isStrict ? [] : [{ value: '', label: t(locale, 'app.documents.shareForever') }]),
  ];
  return [
    renderField(
      {
        name: 'duration',
        label: t(locale, 'app.documents.shareFor'),
        options,
        value: values.duration ?? String(DAY_SECONDS),
      },
      errors,
      locale,
    ),
    renderField(
      {
        name: 'passcode',
        label: t(locale, 'sharePage.passcode'),
        hint: t(locale, 'app.documents.passcodeHint'),
        autocomplete: 'off',
        maxLength: 64,
        isRequired: isStrict,
      },
      errors,
      locale,
    ),
    renderField(
      {
        name: 'maxViews',
        label: t(locale, 'app.documents.maxViews'),
        hint: t(locale, 'app.documents.maxViewsHint'),
        inputMode: 'numeric',
        autocomplete: 'off',
        maxLength: 5,
        value: values.maxViews,
      },
      errors,
      locale,
    ),
    ...(codes.length > 0 ? [renderCodeField()] : []),
  ];

  function renderCodeField(): Html {
    const options = codes.map(({ id, title }) => ({ value: id, label: title }));
    return renderField(
      {
        name: 'qrCodeId',
        label: t(locale, 'app.documents.onCode'),
        options: [{ value: '', label: t(locale, 'app.documents.noCode') }, ...options],
        value: values.qrCodeId ?? '',
      },
      errors,
      locale,
    );
  }
}

function renderLinks({ path, token, timeZone, locale, shares, codes, codesPath }: SharingPage): Html | null {
  if (shares.length === 0) return null;
  const isActive = ({ status }: Share) => status === 'ACTIVE';
  const active = shares.filter(isActive);
  const others = shares.filter((share) => !isActive(share));
  const renderList = (list: readonly Share[]) => html`<ul class="cards rows">${list.map(renderLink)}</ul>`;
  return html`${active.length > 0 && renderList(active)}${
    others.length > 0 &&
    html`<details><summary>${t(locale, 'app.documents.endedLinks', { count: others.length })}</summary>${renderList(others)}</details>`
  }`;

  function renderCode({ qrCodeId }: Share): Html | null {
    const code = codes.find(({ id }) => id === qrCodeId);
    if (!code) return null;
    const link = html`<a href="${codesPath}/${code.id}"><bdi>${code.title}</bdi></a>`;
    return html` ${translateHtml(locale, 'app.documents.shownOn', { code: link })}`;
  }

  function renderLink(share: Share): Html {
    const { id, status, createdAt, expiresAt, passcodeRequired, views, viewsLeft } = share;
    const renderTime = (at: string) => renderMoment(new Date(at), { timeZone }, locale);
    const end = renderForm({
      action: `${path}/shares/${id}/end`,
      token,
      submit: t(locale, 'app.documents.endLink'),
      kind: 'plain',
    });
    return html`<li><div><p>${translateHtml(locale, 'app.documents.linkOf', { date: renderTime(createdAt) })} <span class="chip">${t(locale, STATE_LABELS[status])}</span></p>
<p class="small">${t(locale, 'app.documents.opened', { count: views })}${isActive(share) && viewsLeft !== null && html` ${t(locale, 'sharePage.viewsLeft', { count: viewsLeft })}`}${passcodeRequired && html` ${t(locale, 'app.documents.withPasscode')}`}${expiresAt !== null && html` ${translateHtml(locale, 'app.documents.linkUntil', { date: renderTime(expiresAt) })}`}${renderCode(share)}</p></div>${isActive(share) && end}</li>
`;
  }
}

function renderGrants({ path, token, timeZone, locale, grants }: SharingPage): Html | null {
  if (grants.length === 0) return null;
  const items = grants.map(
    ({
      id,
      email,
      createdAt,
    }) => html`<li><div><p><bdi>${email}</bdi></p><p class="small">${renderMoment(new Date(createdAt), { timeZone }, locale)}</p></div>${renderForm(
      {
        action: `${path}/grants/${id}/revoke`,
        token,
        submit: t(locale, 'app.documents.revoke'),
        kind: 'plain',
      },
    )}</li>
`,
  );
  return html`<ul class="cards rows">${items}</ul>`;
}

function renderGrantForm({ path, token, locale, errors, values }: SharingPage): Html {
  const isOwn = errors.some(({ field, code }) => field === 'email' && code === 'NOT_ALLOWED');
  const email = renderField(
    {
      name: 'email',
      label: t(locale, 'signIn.email'),
      type: 'email',
      autocomplete: 'off',
      isRequired: true,
      value: values.email,
      error: isOwn ? t(locale, 'app.documents.error.ownAddress') : undefined,
    },
    errors,
    locale,
  );
  return html`<div class="narrow">${renderForm({
    action: `${path}/grants`,
    token,
    hidden: { key: generateId() },
    submit: t(locale, 'app.documents.grant'),
    fields: email,
    kind: 'plain',
  })}</div>`;
}

function formatDuration(seconds: number, { tag }: Locale): string {
  const isHours = seconds < DAY_SECONDS;
  const unit = isHours ? 'hour' : 'day';
  const count = seconds / (isHours ? HOUR_SECONDS : DAY_SECONDS);
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

function getMaxStrictDays(): number {
  return LIFETIMES_SECONDS.enterpriseHealthShare / DAY_SECONDS;
}
