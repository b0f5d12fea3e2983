import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createBodyValidator } from '../../platform/http/validation.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../platform/route-access.ts';
import { formatHostCookie, getHostCookieName } from '../../platform/session-cookie.ts';
import { parseCookieHeader } from '../../shared/cookies.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { normalizeEmail } from '../../shared/email.ts';
import type { FieldError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { t, translateHtml } from '../../shared/i18n/translate.ts';
import {
  confirmEmail,
  findRegistrationErrors,
  MIN_PASSWORD_CHARACTERS,
  RegistrationRequest,
  register,
  resendOtpToNetwork,
} from '../identity/index.ts';
import { beginSession, SIGN_UP_COOKIE } from './begin-session.ts';
import {
  createCodeField,
  type FormErrors,
  renderErrorSummary,
  renderField,
  renderForm,
  renderNote,
} from './components.ts';
import { parseDigits } from './digits.rules.ts';
import { getFormToken } from './form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage, withLanguage } from './layout.ts';
import { getOwnerPagesPath, isSecure, type OwnerPageServices } from './owner-page-services.ts';
import { SIGNED_OUT_ACCESS } from './sign-in.routes.ts';
import { hasCodeDraftCookie } from './start/code-draft.ts';
import { parseTarget, withTarget } from './target.rules.ts';
import { translateRefusal } from './translate-refusal.ts';

/** `to` is where the sign-up leads to. */
const TARGET = { to: Type.Optional(Type.String()) };

const PAGE_SCHEMA = {
  hide: true,
  querystring: Type.Object({ ...TARGET, lang: Type.Optional(Type.String()) }),
};

const SignUpForm = Type.Object({
  ...TARGET,
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  timeZone: Type.Optional(Type.String()),
});

type SignUpFields = Partial<
  Record<'firstName' | 'lastName' | 'email' | 'password' | 'timeZone' | 'to', string>
>;

const findSchemaErrors = createBodyValidator(RegistrationRequest);
const findTimeZoneErrors = createBodyValidator(Type.Pick(RegistrationRequest, ['timeZone']));

/** Creating an account in the pages for owners: name, address and password, then the code of the email. */
export const signUpPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const path = `${getOwnerPagesPath(services)}/sign-up`;
  const secure = isSecure(services);
  const pageConfig = { access: SIGNED_OUT_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' } as const;

  app.get('/sign-up', { config: pageConfig, schema: PAGE_SCHEMA }, async (request, reply) =>
    sendSignUpPage(request, reply, { to: request.query.to }),
  );

  app.post(
    '/sign-up',
    {
      config: {
        access: SIGNED_OUT_ACCESS,
        audit: auditAs('USER_REGISTERED'),
        rateLimitClass: 'auth',
        requiresPasswordHashing: true,
      },
      schema: { hide: true, body: SignUpForm },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const input = toRegistration(request.body, locale.tag);
      const errors = await findErrors(input);
      const { to } = request.body;
      if (errors.length > 0) return sendSignUpPage(request, reply, { values: request.body, errors, to });
      try {
        const { body } = await register(services, getRequestContext(request), input);
        return reply
          .header('Set-Cookie', formatSignUpCookie(body.email))
          .redirect(withLanguage(withTarget(`${path}/code`, to), request), 303);
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale);
        return sendSignUpPage(request, reply, { values: request.body, status, refusal: text, to });
      }
    },
  );

  app.get('/sign-up/code', { config: pageConfig, schema: PAGE_SCHEMA }, async (request, reply) =>
    sendCodePage(request, reply, { to: request.query.to }),
  );

  app.post(
    '/sign-up/code',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: auditAs('EMAIL_VERIFIED'), rateLimitClass: 'auth' },
      schema: { hide: true, body: Type.Object({ ...TARGET, code: Type.Optional(Type.String()) }) },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const email = readEmail(request);
      const { to } = request.body;
      if (email === null) return sendCodePage(request, reply, { to });
      try {
        const otp = parseDigits(request.body.code ?? '');
        const confirmed = await confirmEmail(services, getRequestContext(request), { email, otp });
        reply.header('Set-Cookie', formatHostCookie(SIGN_UP_COOKIE, '', 0, secure));
        const target = parseTarget(to, getOwnerPagesPath(services));
        return await beginSession(services, request, reply, confirmed, { target, draft: null });
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          OTP_INVALID: t(locale, 'signUp.codeWrong'),
        });
        return sendCodePage(request, reply, { status, refusal: text, to });
      }
    },
  );

  app.post(
    '/sign-up/resend',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: auditAs('OTP_RESENT'), rateLimitClass: 'auth' },
      schema: { hide: true, body: Type.Object(TARGET) },
    },
    async (request, reply) => {
      const email = readEmail(request);
      const { to } = request.body;
      if (email === null) return sendCodePage(request, reply, { to });
      try {
        await resendOtpToNetwork(services, getRequestContext(request), email);
        return sendCodePage(request, reply, { isResent: true, to });
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, chooseOwnerPageLocale(request));
        return sendCodePage(request, reply, { status, refusal: text, to });
      }
    },
  );

  /** An address is in no URL. */
  function formatSignUpCookie(email: string): string {
    return formatHostCookie(SIGN_UP_COOKIE, Buffer.from(email).toString('base64url'), HOUR_SECONDS, secure);
  }

  function readEmail({ headers }: FastifyRequest): string | null {
    const value = parseCookieHeader(headers.cookie)[getHostCookieName(SIGN_UP_COOKIE, secure)];
    return normalizeEmail(Buffer.from(value ?? '', 'base64url').toString('utf8'));
  }

  function sendSignUpPage(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      values = {},
      errors = [],
      status = errors.length > 0 ? 400 : 200,
      refusal,
      to,
    }: {
      values?: SignUpFields;
      errors?: FormErrors;
      status?: number;
      refusal?: string;
      to: string | undefined;
    },
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const field = (one: Parameters<typeof renderField>[0]) =>
      renderField({ isRequired: true, ...one }, errors, locale);
    const provider = withTarget(`${getOwnerPagesPath(services)}/sign-in/provider`, to);
    const signUpWithProvider =
      services.identityProvider !== null &&
      html`<p><a class="act plain wide" href="${withLanguage(provider, request)}">${t(locale, 'signIn.provider')}</a></p>
`;
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'signUp.title'),
      isNarrow: true,
      address: path,
      status,
      body: html`${hasCodeDraftCookie(services, request) && renderNote(t(locale, 'app.start.kept'))}${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)}
${renderForm({
  action: withLanguage(path, request),
  token: getFormToken(services, request, reply),
  hidden: { to },
  submit: t(locale, 'signUp.button'),
  fields: [
    field({
      name: 'firstName',
      label: t(locale, 'signUp.firstName'),
      value: values.firstName,
      autocomplete: 'given-name',
      maxLength: 100,
    }),
    field({
      name: 'lastName',
      label: t(locale, 'signUp.lastName'),
      value: values.lastName,
      autocomplete: 'family-name',
      maxLength: 100,
    }),
    field({
      name: 'email',
      label: t(locale, 'signIn.email'),
      value: values.email,
      type: 'email',
      autocomplete: 'username',
    }),
    field({
      name: 'password',
      label: t(locale, 'signIn.password'),
      type: 'password',
      autocomplete: 'new-password',
      hint: t(locale, 'signUp.passwordHint', { count: MIN_PASSWORD_CHARACTERS }),
    }),
    html`<input type="hidden" name="timeZone" data-script="time-zone">`,
  ],
})}${signUpWithProvider}<p><a href="${withLanguage(withTarget(`${getOwnerPagesPath(services)}/sign-in`, to), request)}">${t(locale, 'signUp.haveAccount')}</a></p>`,
    });
  }

  function sendCodePage(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      status = 200,
      refusal,
      isResent = false,
      to,
    }: { status?: number; refusal?: string; isResent?: boolean; to: string | undefined },
  ): FastifyReply {
    const email = readEmail(request);
    const start = withLanguage(withTarget(path, to), request);
    if (email === null) return reply.redirect(start, 303);
    const locale = chooseOwnerPageLocale(request);
    const token = getFormToken(services, request, reply);
    const field = renderField(createCodeField(t(locale, 'signUp.code')), [], locale);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'signUp.codeTitle'),
      isNarrow: true,
      address: `${path}/code`,
      status,
      body: html`${refusal ? renderNote(refusal, 'wrong') : isResent && renderNote(t(locale, 'signUp.resent'))}
<p>${translateHtml(locale, 'signUp.codeText', { email: html`<b><bdi>${email}</bdi></b>` })}</p>
${renderForm({ action: withLanguage(`${path}/code`, request), token, hidden: { to }, submit: t(locale, 'signUp.codeButton'), fields: field })}${renderForm(
  {
    action: withLanguage(`${path}/resend`, request),
    token,
    hidden: { to },
    submit: t(locale, 'signUp.resend'),
    kind: 'plain',
  },
)}<p><a href="${start}">${t(locale, 'signUp.startOver')}</a></p>`,
    });
  }
};

/** Without empty fields, which are missing rather than too short. */
function toRegistration({ email = '', password = '', ...profile }: SignUpFields, language: string) {
  const { firstName, lastName, timeZone } = profile;
  return {
    email: email.trim(),
    password,
    language,
    ...(firstName?.trim() && { firstName: firstName.trim() }),
    ...(lastName?.trim() && { lastName: lastName.trim() }),
    ...(timeZone && findTimeZoneErrors({ timeZone }).length === 0 && { timeZone }),
  };
}

async function findErrors(input: ReturnType<typeof toRegistration>): Promise<FieldError[]> {
  const missing = (['firstName', 'lastName', 'email', 'password'] as const).filter((name) => !input[name]);
  const errors = [...findSchemaErrors(input), ...(await findRegistrationErrors(input))].filter(
    ({ field }) => !missing.some((name) => name === field),
  );
  return [...missing.map((field) => ({ field, code: 'REQUIRED', message: '' })), ...errors];
}
