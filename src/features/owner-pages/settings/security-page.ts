import type { FastifyRequest } from 'fastify';
import type { CurrentUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  type findSecondFactorState,
  formatIdentityProviderName,
  formatUserAgentFamily,
  type listActiveUserSessions,
  type listUserIdentities,
  MIN_PASSWORD_CHARACTERS,
} from '../../identity/index.ts';
import { type FormErrors, renderField, renderForm } from '../components.ts';
import { renderMoment } from '../format-moment.ts';
import { type OwnPhonesSection, renderOwnPhones } from './own-phones.ts';
import { renderCurrentPassword } from './settings-page.ts';

interface SecurityPage {
  request: FastifyRequest;
  locale: Locale;
  /** Of the tab. */
  path: string;
  forgotPasswordPath: string;
  /** Of its forms. */
  token: string;
  user: CurrentUser;
  errors: FormErrors;
  withPassword: boolean;
  secondFactor: Awaited<ReturnType<typeof findSecondFactorState>>;
  identities: Awaited<ReturnType<typeof listUserIdentities>>['rows'];
  /** Of the provider that can be linked; null for none. */
  providerIssuer: string | null;
  sessions: Awaited<ReturnType<typeof listActiveUserSessions>>['rows'];
  phones: OwnPhonesSection['phones'];
}

export function renderSecurity(page: SecurityPage): Html {
  return html`${renderPassword(page)}${renderSecondFactor(page)}${renderIdentities(page)}${renderSessions(page)}${renderOwnPhones(page)}`;
}

function renderPassword({
  locale,
  path,
  forgotPasswordPath,
  token,
  errors,
  withPassword,
  request,
}: SecurityPage): Html {
  const heading = html`<h2>${t(locale, 'app.settings.password')}</h2>`;
  if (!withPassword)
    return html`<section class="narrow">${heading}<p>${t(locale, 'app.settings.password.none')}</p>
<p><a class="act plain" href="${forgotPasswordPath}">${t(locale, 'app.settings.password.create')}</a></p></section>`;
  return html`<section class="narrow">${heading}<p>${t(locale, 'app.settings.password.text')}</p>
${renderForm({
  action: `${path}/password`,
  token,
  submit: t(locale, 'app.settings.password.button'),
  fields: [
    renderCurrentPassword(request, errors, locale, 'currentPassword'),
    renderField(
      {
        name: 'newPassword',
        label: t(locale, 'resetPassword.password'),
        type: 'password',
        autocomplete: 'new-password',
        hint: t(locale, 'signUp.passwordHint', { count: MIN_PASSWORD_CHARACTERS }),
        isRequired: true,
      },
      errors,
      locale,
    ),
  ],
})}</section>`;
}

function renderSecondFactor({ locale, path, user, secondFactor }: SecurityPage): Html {
  const address = `${path}/second-factor`;
  const since = secondFactor?.confirmedAt;
  const content = since
    ? html`<p>${translateHtml(locale, 'app.settings.secondFactor.on', { date: renderMoment(since, user, locale) })}
${t(locale, 'app.settings.secondFactor.codesLeft', { count: secondFactor.recoveryCodesLeft })}</p>
<p class="actions"><a class="act plain" href="${address}/recovery-codes">${t(locale, 'app.settings.secondFactor.renew')}</a>
<a class="act danger" href="${address}/off">${t(locale, 'app.settings.secondFactor.turnOff')}</a></p>`
    : html`<p>${t(locale, 'app.settings.secondFactor.text')}</p>
<p><a class="act" href="${address}">${t(locale, 'app.settings.secondFactor.turnOn')}</a></p>`;
  return html`<section><h2>${t(locale, 'app.settings.secondFactor')}</h2>${content}</section>`;
}

function renderIdentities({ locale, path, token, identities, providerIssuer }: SecurityPage): Html | null {
  const isLinkable = providerIssuer !== null && !identities.some(({ issuer }) => issuer === providerIssuer);
  if (identities.length === 0 && !isLinkable) return null;
  const items = identities.map(
    ({ id, issuer, email }) => html`<li><div><h3>${formatIdentityProviderName(issuer)}</h3>
<p><bdi>${email}</bdi></p>${renderForm({ action: `${path}/identities/${id}/unlink`, token, submit: t(locale, 'app.settings.identities.unlink'), kind: 'plain' })}</div></li>`,
  );
  const list = html`<p>${t(locale, 'app.settings.identities.text')}</p><ul class="cards">${items}</ul>`;
  const link =
    isLinkable &&
    html`<p>${t(locale, 'app.settings.identities.linkText')}</p><p><a class="act plain" href="${path}/identities/link">${t(locale, 'app.settings.identities.link', { provider: formatIdentityProviderName(providerIssuer) })}</a></p>`;
  return html`<section><h2>${t(locale, 'app.settings.identities')}</h2>${items.length > 0 && list}${link}</section>`;
}

function renderSessions(page: SecurityPage): Html {
  const { locale, path, token, sessions, user } = page;
  const current = sessions.filter(({ id }) => id === user.sessionId);
  const others = sessions.filter(({ id }) => id !== user.sessionId);
  const endOthers = renderForm({
    action: `${path}/sessions/end-others`,
    token,
    submit: t(locale, 'app.settings.sessions.endOthers'),
    kind: 'plain',
  });
  return html`<section><h2>${t(locale, 'app.settings.sessions')}</h2><p>${t(locale, 'app.settings.sessions.text')}</p>
<ul class="cards">${[...current, ...others].map((session) => renderSession(page, session))}</ul>${others.length > 1 && endOthers}</section>`;
}

function renderSession(
  { locale, path, token, user }: SecurityPage,
  { id, ip, userAgent, lastUsedAt }: SecurityPage['sessions'][number],
): Html {
  const family = formatUserAgentFamily(userAgent);
  const browser = family === '–' ? t(locale, 'app.settings.sessions.unknownBrowser') : family;
  const isCurrent = id === user.sessionId;
  const last = translateHtml(locale, 'app.settings.sessions.lastUsed', {
    date: renderMoment(lastUsedAt, user, locale),
  });
  return html`<li><div><h3><bdi>${browser}</bdi></h3>
<p class="small">${last}<br>${translateHtml(locale, 'app.settings.sessions.address', { address: html`<bdi>${ip}</bdi>` })}</p>${
    isCurrent
      ? html`<p class="chip">${t(locale, 'app.settings.sessions.current')}</p>`
      : renderForm({
          action: `${path}/sessions/${id}/end`,
          token,
          submit: t(locale, 'app.settings.sessions.end'),
          kind: 'plain',
        })
  }</div></li>`;
}
