import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { drawSecondFactorQrCode, requireRecentLogin } from '../../identity/index.ts';
import { createCodeField, renderField, renderForm, renderHiddenFields } from '../components.ts';
import { type SignInTarget, serializeDraft } from '../draft.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  type FormRefusal,
  getSettingsPath,
  hasPassword,
  renderCurrentPassword,
  sendSettingsPage,
} from './settings-page.ts';

/** The first page of an enrollment. @throws REAUTHENTICATION_REQUIRED for an account without a password */
export async function sendEnrollmentPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { target, draft }: SignInTarget,
  refused: FormRefusal = {},
): Promise<FastifyReply> {
  const locale = chooseOwnerPageLocale(request);
  const user = requireAuthenticatedUser(request);
  const withPassword = await hasPassword(services, request);
  if (!withPassword) await requireRecentLogin(services.database.client, user);
  return sendSettingsPage(services, request, reply, {
    tab: 'security',
    title: t(locale, 'app.settings.enroll.title'),
    isNarrow: true,
    refused,
    body: html`${user.mustEnroll && html`<p><b>${t(locale, 'app.enrollText')}</b></p>\n`}<p>${t(locale, 'app.settings.enroll.text')}</p>
${renderForm({
  action: getEnrollmentPath(services, request),
  token: getFormToken(services, request, reply),
  hidden: { to: target ?? undefined, draft: serializeDraft(draft) },
  submit: t(locale, 'app.settings.enroll.start'),
  fields: withPassword ? renderCurrentPassword(request, refused.errors ?? [], locale) : null,
})}`,
  });
}

/** The QR code of a secret, and the form for its first code. */
export async function sendEnrollmentCodePage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { target, draft, secret }: SignInTarget & { secret: string },
  refused: FormRefusal = {},
): Promise<FastifyReply> {
  const locale = chooseOwnerPageLocale(request);
  const { qrCodeDataUrl, otpauthUri } = await drawSecondFactorQrCode(
    secret,
    requireAuthenticatedUser(request).email,
  );
  const field = createCodeField(t(locale, 'secondFactor.code'));
  return sendSettingsPage(services, request, reply, {
    tab: 'security',
    title: t(locale, 'app.settings.enroll.codeTitle'),
    isNarrow: true,
    refused,
    body: html`<p>${t(locale, 'app.settings.enroll.scan')}</p>
<p><img class="code" src="${qrCodeDataUrl}" alt="${t(locale, 'app.settings.enroll.qrCode')}"></p>
<details><summary>${t(locale, 'app.settings.enroll.noCamera')}</summary><p><a href="${otpauthUri}">${t(locale, 'app.settings.enroll.openApp')}</a></p>
<p>${t(locale, 'app.settings.enroll.secret')}</p><p><code dir="ltr">${secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code></p></details>
${renderForm({
  action: `${getEnrollmentPath(services, request)}/confirm`,
  token: getFormToken(services, request, reply),
  hidden: { secret, to: target ?? undefined, draft: serializeDraft(draft) },
  submit: t(locale, 'app.settings.enroll.confirm'),
  fields: renderField(field, refused.errors ?? [], locale),
})}`,
  });
}

/** New recovery codes, which are shown once, and the way on. */
export function sendRecoveryCodesPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { target, draft, recoveryCodes }: SignInTarget & { recoveryCodes: readonly string[] },
): FastifyReply {
  const locale = chooseOwnerPageLocale(request);
  const token = getFormToken(services, request, reply);
  const next = target ?? getSecurityPath(services, request);
  return sendSettingsPage(services, request, reply, {
    tab: 'security',
    title: t(locale, 'app.settings.recoveryCodes.title'),
    isNarrow: true,
    body: html`<p>${t(locale, 'app.settings.recoveryCodes.text')}</p>
<pre id="codes" dir="ltr">${recoveryCodes.join('\n')}</pre>
<p class="actions"><button type="button" class="plain" data-script="copy" data-copies="codes" hidden>${t(locale, 'app.settings.recoveryCodes.copy')}</button>
<button type="button" class="plain" data-script="print" hidden>${t(locale, 'app.settings.recoveryCodes.print')}</button></p>
${
  draft
    ? renderForm({
        action: draft.action,
        token,
        submit: t(locale, 'app.settings.recoveryCodes.saved'),
        fields: renderHiddenFields(draft.fields),
      })
    : html`<p><a class="act" href="${next}">${t(locale, 'app.settings.recoveryCodes.saved')}</a></p>`
}`,
  });
}

export function getEnrollmentPath(services: OwnerPageServices, request: FastifyRequest): string {
  return `${getSecurityPath(services, request)}/second-factor`;
}

function getSecurityPath(services: OwnerPageServices, request: FastifyRequest): string {
  return `${getSettingsPath(services, request)}/security`;
}
