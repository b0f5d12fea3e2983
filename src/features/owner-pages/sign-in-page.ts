import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import { type MessageKey, t } from '../../shared/i18n/translate.ts';
import { createCodeField, renderField, renderForm, renderNote } from './components.ts';
import { type FormDraft, serializeDraft, setDraftCookie } from './draft.ts';
import { getFormToken } from './form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage, withLanguage } from './layout.ts';
import { getOwnerPagesPath, type OwnerPageServices } from './owner-page-services.ts';
import { hasPassword } from './settings/settings-page.ts';
import { withTarget } from './target.rules.ts';

/** Why a page of the sign-in is shown. */
export const SIGN_IN_REASONS = {
  wanted: 'signIn.wanted',
  again: 'signIn.again',
  invitation: 'app.invitations.page.otherAddressReason',
  'signed-out': 'signIn.signedOut',
  'password-changed': 'signIn.passwordChanged',
  erased: 'signIn.erased',
  'step-expired': 'secondFactor.expired',
  'provider-failed': 'signIn.providerFailed',
  'provider-denied': 'signIn.providerDenied',
  'provider-unverified': 'signIn.providerUnverified',
  'provider-conflict': 'signIn.providerConflict',
  'provider-unavailable': 'signIn.providerUnavailable',
  suspended: 'app.suspendedText',
} as const satisfies Record<string, MessageKey>;

export type SignInReason = keyof typeof SIGN_IN_REASONS;

interface SignInPage {
  status?: number;
  reason?: SignInReason | undefined;
  /** Path that the sign-in leads to. */
  target?: string | null;
  draft?: FormDraft | null;
  email?: string | undefined;
  /** A translated message: why the sign-in was refused. */
  refusal?: string | undefined;
}

/** Send the page of the sign-in. Who is signed in proves it as they always do: by their password, or else with the provider. */
export async function sendSignInPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, reason, target = null, draft = null, email, refusal }: SignInPage,
): Promise<FastifyReply> {
  const locale = chooseOwnerPageLocale(request);
  const path = getOwnerPagesPath(services);
  const isWarning = reason?.startsWith('provider') || reason === 'step-expired' || reason === 'suspended';
  const text = serializeDraft(draft);
  const isLost = draft !== null && text === undefined;
  const isAgain = reason === 'again' && request.user !== null;
  const withPassword = !isAgain || (await hasPassword(services, request));
  const withProvider = services.identityProvider !== null && !(isAgain && withPassword);
  const message = withPassword ? reason && SIGN_IN_REASONS[reason] : 'signIn.againWithProvider';
  const hint = message && renderNote(t(locale, message), isWarning ? 'wrong' : 'done');
  if (withProvider && draft) setDraftCookie(services, reply, draft);
  const signInWithProvider =
    withProvider &&
    html`<p><a class="act plain wide" href="${withLanguage(withTarget(`${path}/sign-in/provider`, target), request)}">${t(locale, 'signIn.provider')}</a></p>`;
  return sendOwnerPage(services, request, reply, {
    title: t(locale, 'signIn.title'),
    isNarrow: true,
    address: `${path}/sign-in`,
    ...(status && { status }),
    body: html`${refusal ? renderNote(refusal, 'wrong') : hint}
${isLost && renderNote(t(locale, 'app.draft.lost'), 'wrong')}${withPassword && renderPasswordForm()}${signInWithProvider}
<p><a href="${withLanguage(`${path}/forgot-password`, request)}">${t(locale, 'signIn.forgot')}</a></p>
<p><a href="${withLanguage(withTarget(`${path}/sign-up`, target), request)}">${t(locale, 'signIn.newHere')}</a></p>`,
  });

  function renderPasswordForm(): Html {
    return renderForm({
      action: withLanguage(`${path}/sign-in`, request),
      token: getFormToken(services, request, reply),
      hidden: { to: target ?? undefined, draft: text },
      submit: t(locale, 'signIn.button'),
      fields: [
        renderField(
          {
            name: 'email',
            label: t(locale, 'signIn.email'),
            type: 'email',
            value: email ?? (reason === 'invitation' ? undefined : request.user?.email),
            autocomplete: 'username',
            isRequired: true,
          },
          [],
          locale,
        ),
        renderField(
          {
            name: 'password',
            label: t(locale, 'signIn.password'),
            type: 'password',
            autocomplete: 'current-password',
            isRequired: true,
          },
          [],
          locale,
        ),
      ],
    });
  }
}

interface SecondFactorPage {
  status?: number;
  target: string | null;
  draft: FormDraft | null;
  /** Ask for a recovery code. */
  isRecovery?: boolean;
  refusal?: string;
}

export function sendSecondFactorPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, target, draft, isRecovery = false, refusal }: SecondFactorPage,
): FastifyReply {
  const locale = chooseOwnerPageLocale(request);
  const path = getOwnerPagesPath(services);
  const token = getFormToken(services, request, reply);
  const hidden = { to: target ?? undefined, draft: serializeDraft(draft) };
  const action = withLanguage(`${path}/sign-in/second-factor`, request);
  const field = isRecovery
    ? renderField(
        {
          name: 'recoveryCode',
          label: t(locale, 'secondFactor.recoveryCode'),
          autocomplete: 'off',
          isRequired: true,
        },
        [],
        locale,
      )
    : renderField(createCodeField(t(locale, 'secondFactor.code')), [], locale);
  return sendOwnerPage(services, request, reply, {
    title: t(locale, 'secondFactor.title'),
    isNarrow: true,
    ...(status && { status }),
    body: html`${refusal && renderNote(refusal, 'wrong')}
<p>${t(locale, isRecovery ? 'secondFactor.recoveryText' : 'secondFactor.text')}</p>
${renderForm({ action, token, hidden, submit: t(locale, 'secondFactor.button'), fields: field })}${renderForm(
  {
    action,
    token,
    hidden: { ...hidden, switch: isRecovery ? 'code' : 'recovery' },
    submit: t(locale, isRecovery ? 'secondFactor.useCode' : 'secondFactor.useRecoveryCode'),
    kind: 'plain',
  },
)}`,
  });
}
