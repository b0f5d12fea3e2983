import { DAY_SECONDS } from '../../../../shared/durations.ts';
import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../../shared/i18n/translate.ts';
import { type FormErrors, renderField, renderForm, renderNote, renderSelect } from '../../components.ts';
import type { FormToken } from '../../form-token.ts';
import { renderMoment } from '../../format-moment.ts';
import { formatOverlap, OVERLAP_SECONDS } from '../api-key-pages.ts';
import { getEndpointState, translateEndpointState, type WebhookEndpointView } from './webhook-parts.ts';

interface EndpointPage {
  /** Of the endpoint. */
  path: string;
  receiverPath: string;
  token: FormToken;
  endpoint: WebhookEndpointView;
  user: { timeZone: string };
  errors: FormErrors;
  locale: Locale;
}

/** Render the state of an endpoint, with what can be done about it. */
export function renderEndpoint(page: EndpointPage): Html {
  const { path, token, endpoint, user, locale } = page;
  const { enabled, verified, previousSecretExpiresAt: previousEnd, eventTypes, include } = endpoint;
  const test = renderForm({ action: `${path}/test`, token, submit: t(locale, 'app.webhooks.test') });
  const toggle = renderForm({
    action: `${path}/${enabled ? 'pause' : 'resume'}`,
    token,
    submit: t(locale, enabled ? 'app.code.pause' : 'app.code.resume'),
    ...(enabled && { kind: 'plain' }),
  });
  return html`<p><span class="chip">${translateEndpointState(endpoint, locale)}</span> <bdi dir="ltr">${endpoint.url}</bdi></p>
${renderReason(page)}${
  previousEnd !== null &&
  html`<p>${translateHtml(locale, 'app.webhooks.oldUntil', { date: renderMoment(new Date(previousEnd), user, locale) })}</p>`
}${enabled && !verified && renderVerification(page)}
<div class="actions">${enabled && verified && test}${toggle}<a class="act plain" href="${path}/edit">${t(locale, 'app.webhooks.edit')}</a><a class="act plain" href="${path}/secret">${t(locale, 'app.webhooks.rotate')}</a><a class="act danger" href="${path}/delete">${t(locale, 'app.documents.delete')}</a></div>
<h2>${t(locale, 'app.webhooks.events')}</h2><p>${eventTypes.map((pattern) => html`<code class="chip" dir="ltr">${pattern}</code> `)}</p>
<p>${t(locale, include === null ? 'app.webhooks.idsOnly' : 'app.webhooks.withContent')}</p>`;
}

/** Why nothing arrives. */
function renderReason({ endpoint, user, locale }: EndpointPage): Html | null {
  const state = getEndpointState(endpoint);
  if (state === 'paused') return html`<p>${t(locale, 'app.webhooks.pausedText')}</p>`;
  if (state === 'off')
    return renderNote(
      t(locale, endpoint.disabledReason === 'GONE' ? 'app.webhooks.goneText' : 'app.webhooks.offText'),
      'wrong',
    );
  if (endpoint.failingSince === null) return null;
  const date = renderMoment(new Date(endpoint.failingSince), user, locale);
  return renderNote(translateHtml(locale, 'app.webhooks.failingText', { date }), 'wrong');
}

function renderVerification({ path, receiverPath, token, errors, locale }: EndpointPage): Html {
  const isOpen = errors.some(({ field }) => field === 'challenge');
  return html`<p>${t(locale, 'app.webhooks.unverifiedText')} <a href="${receiverPath}">${t(locale, 'app.webhooks.receiver')}</a></p>
<div class="actions">${renderForm({ action: `${path}/test`, token, submit: t(locale, 'app.webhooks.challengeAgain') })}</div>
<details${isOpen && html` open`}><summary>${t(locale, 'app.webhooks.verifyByHand')}</summary>${renderForm({
    action: `${path}/verify`,
    token,
    submit: t(locale, 'signUp.codeButton'),
    fields: renderField(
      {
        name: 'challenge',
        label: t(locale, 'app.webhooks.challenge'),
        hint: html`<code dir="ltr">data.challenge</code>, <code dir="ltr">webhook_endpoint.verification</code>`,
        autocomplete: 'off',
        maxLength: 200,
        isRequired: true,
      },
      errors,
      locale,
    ),
  })}</details>`;
}

/** Render the form that replaces a secret. */
export function renderRotation({
  path,
  token,
  locale,
}: Pick<EndpointPage, 'path' | 'token' | 'locale'>): Html {
  const overlap = renderSelect({
    name: 'overlap',
    label: t(locale, 'app.webhooks.overlap'),
    value: String(DAY_SECONDS),
    options: OVERLAP_SECONDS.map((seconds) => ({
      value: String(seconds),
      label: formatOverlap(seconds, locale),
    })),
  });
  return html`<p>${t(locale, 'app.webhooks.rotateText')}</p>
${renderForm({ action: `${path}/secret`, token, fields: overlap, submit: t(locale, 'app.webhooks.rotate') })}
<p><a href="${path}">${t(locale, 'app.sheets.cancel')}</a></p>`;
}

/** Render what deleting an endpoint does, with the button. */
export function renderDeletion({
  path,
  token,
  endpoint,
  locale,
}: Pick<EndpointPage, 'path' | 'token' | 'endpoint' | 'locale'>): Html {
  return html`<p><bdi dir="ltr">${endpoint.url}</bdi></p><p>${t(locale, 'app.webhooks.deleteText')}</p>
${renderForm({ action: `${path}/delete`, token, submit: t(locale, 'app.webhooks.delete'), kind: 'danger' })}
<p><a href="${path}">${t(locale, 'app.sheets.cancel')}</a></p>`;
}
