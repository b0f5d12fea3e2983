import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowBeforeMfaEnrollment, auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  confirmSecondFactorEnrollment,
  disableSecondFactor,
  findSecondFactorState,
  renewRecoveryCodes,
  requireRecentLogin,
  startSecondFactorEnrollment,
} from '../../identity/index.ts';
import { setRenewedAccess } from '../begin-session.ts';
import { renderField, renderForm } from '../components.ts';
import { parseDigits } from '../digits.rules.ts';
import { parseSignInTarget } from '../draft.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  getEnrollmentPath,
  sendEnrollmentCodePage,
  sendEnrollmentPage,
  sendRecoveryCodesPage,
} from './enrollment-pages.ts';
import {
  ACCOUNT_ACCESS,
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  hasPassword,
  redirectWithDone,
  renderCurrentPassword,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const TARGET_FIELDS = { to: Type.Optional(Type.String()), draft: Type.Optional(Type.String()) };

const ProofForm = Type.Object({
  password: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
});

const WRONG_PASSWORD = { field: 'password', code: 'WRONG_PASSWORD' };
const WRONG_CODE = { field: 'code', code: 'WRONG_CODE' };

/** Enrolling and disabling the second factor, and its recovery codes. */
export const secondFactorPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const enrollmentAccess = allowBeforeMfaEnrollment(ACCOUNT_ACCESS);
  const getSecurityPath = (request: FastifyRequest) => `${getSettingsPath(services, request)}/security`;

  app.get(
    '/security/second-factor',
    {
      config: { ...SETTINGS_PAGE_CONFIG, access: enrollmentAccess },
      schema: { hide: true, params: AccountParams, querystring: Type.Object({ to: TARGET_FIELDS.to }) },
    },
    async (request, reply) => {
      const to = parseSignInTarget(services, request.query);
      if (await isSecondFactorOn(request)) return reply.redirect(to.target ?? getSecurityPath(request), 303);
      return sendEnrollmentPage(services, request, reply, to);
    },
  );

  app.post(
    '/security/second-factor',
    {
      config: { access: enrollmentAccess, audit: auditAs('MFA_ENROLL_STARTED'), rateLimitClass: 'auth' },
      schema: {
        hide: true,
        params: AccountParams,
        body: Type.Object({ password: Type.Optional(Type.String()), ...TARGET_FIELDS }),
      },
    },
    async (request, reply) => {
      const { password } = request.body;
      const to = parseSignInTarget(services, request.body);
      const user = requireAuthenticatedUser(request);
      try {
        const { secret } = await startSecondFactorEnrollment(
          services,
          getRequestContext(request),
          user,
          password,
        );
        return await sendEnrollmentCodePage(services, request, reply, { ...to, secret });
      } catch (error) {
        if (isCode(error, 'MFA_ALREADY_ENABLED')) return reply.redirect(getSecurityPath(request), 303);
        const fields = { CREDENTIALS_INVALID: WRONG_PASSWORD };
        const refused = describeRefusal(error, reply, chooseOwnerPageLocale(request), fields);
        return sendEnrollmentPage(services, request, reply, to, refused);
      }
    },
  );

  app.post(
    '/security/second-factor/confirm',
    {
      config: { access: enrollmentAccess, audit: auditAs('MFA_ENABLED'), rateLimitClass: 'auth' },
      schema: {
        hide: true,
        params: AccountParams,
        body: Type.Object({
          code: Type.Optional(Type.String()),
          secret: Type.Optional(Type.String()),
          ...TARGET_FIELDS,
        }),
      },
    },
    async (request, reply) => {
      const { code = '', secret = '' } = request.body;
      const to = parseSignInTarget(services, request.body);
      const user = requireAuthenticatedUser(request);
      try {
        const { recoveryCodes, ...renewed } = await confirmSecondFactorEnrollment(
          services,
          getRequestContext(request),
          user,
          parseDigits(code),
        );
        setRenewedAccess(services, reply, renewed);
        return sendRecoveryCodesPage(services, request, reply, { ...to, recoveryCodes });
      } catch (error) {
        if (isCode(error, 'MFA_ALREADY_ENABLED')) return reply.redirect(getSecurityPath(request), 303);
        const locale = chooseOwnerPageLocale(request);
        const refused = describeRefusal(
          error,
          reply,
          locale,
          { MFA_CODE_INVALID: WRONG_CODE },
          { MFA_NOT_ENABLED: t(locale, 'app.settings.enroll.expired') },
        );
        // The page sent the secret along: nobody without it learns the one that waits.
        if (isCode(error, 'MFA_NOT_ENABLED') || !/^[A-Z2-7]{32}$/.test(secret))
          return sendEnrollmentPage(services, request, reply, to, refused);
        return sendEnrollmentCodePage(services, request, reply, { ...to, secret }, refused);
      }
    },
  );

  app.get(
    '/security/second-factor/recovery-codes',
    { config: SETTINGS_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendRenewalPage(request, reply),
  );

  app.post(
    '/security/second-factor/recovery-codes',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('RECOVERY_CODES_RENEWED'), rateLimitClass: 'auth' },
      schema: { hide: true, params: AccountParams, body: ProofForm },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const proof = parseProof(request.body.code);
      try {
        const recoveryCodes = await renewRecoveryCodes(services, getRequestContext(request), user, proof);
        const to = { target: null, draft: null };
        return sendRecoveryCodesPage(services, request, reply, { ...to, recoveryCodes });
      } catch (error) {
        if (isCode(error, 'MFA_NOT_ENABLED')) return reply.redirect(getSecurityPath(request), 303);
        const fields = { MFA_CODE_INVALID: WRONG_CODE };
        const refused = describeRefusal(error, reply, chooseOwnerPageLocale(request), fields);
        return sendRenewalPage(request, reply, refused);
      }
    },
  );

  app.get(
    '/security/second-factor/off',
    { config: SETTINGS_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendOffPage(request, reply),
  );

  app.post(
    '/security/second-factor/off',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('MFA_DISABLED'), rateLimitClass: 'auth' },
      schema: { hide: true, params: AccountParams, body: ProofForm },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { password, code } = request.body;
      const input = { password, proof: parseProof(code) };
      try {
        const renewed = await disableSecondFactor(services, getRequestContext(request), user, input);
        setRenewedAccess(services, reply, renewed);
      } catch (error) {
        if (isCode(error, 'MFA_NOT_ENABLED')) return reply.redirect(getSecurityPath(request), 303);
        const fields = { CREDENTIALS_INVALID: WRONG_PASSWORD, MFA_CODE_INVALID: WRONG_CODE };
        const refused = describeRefusal(error, reply, chooseOwnerPageLocale(request), fields);
        return sendOffPage(request, reply, refused);
      }
      return redirectWithDone(reply, getSecurityPath(request), 'second-factor-off');
    },
  );

  async function isSecondFactorOn(request: FastifyRequest): Promise<boolean> {
    const state = await findSecondFactorState(database.client, requireAuthenticatedUser(request).id);
    return Boolean(state?.confirmedAt);
  }

  async function sendRenewalPage(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    await requireRecentLogin(database.client, requireAuthenticatedUser(request));
    return sendProofPage(request, reply, refused, {
      path: 'recovery-codes',
      title: 'app.settings.secondFactor.renew',
      text: 'app.settings.recoveryCodes.renewText',
      withPassword: false,
    });
  }

  async function sendOffPage(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const withPassword = await hasPassword(services, request);
    if (!withPassword) await requireRecentLogin(database.client, requireAuthenticatedUser(request));
    return sendProofPage(request, reply, refused, {
      path: 'off',
      title: 'app.settings.secondFactor.turnOff',
      text: 'app.settings.secondFactor.offText',
      withPassword,
    });
  }

  async function sendProofPage(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal,
    page: ProofPage,
  ): Promise<FastifyReply> {
    if (!(await isSecondFactorOn(request))) return reply.redirect(getSecurityPath(request), 303);
    const locale = chooseOwnerPageLocale(request);
    const { errors = [] } = refused;
    return sendSettingsPage(services, request, reply, {
      tab: 'security',
      title: t(locale, page.title),
      hasTabs: true,
      isNarrow: true,
      refused,
      body: html`<p>${t(locale, page.text)}</p>
${renderForm({
  action: `${getEnrollmentPath(services, request)}/${page.path}`,
  token: getFormToken(services, request, reply),
  submit: t(locale, page.title),
  ...(page.path === 'off' && { kind: 'danger' as const }),
  fields: html`${page.withPassword && renderCurrentPassword(request, errors, locale)}${renderField(
    {
      name: 'code',
      label: t(locale, 'app.settings.secondFactor.proof'),
      hint: t(locale, 'app.settings.secondFactor.proofHint'),
      autocomplete: 'one-time-code',
      maxLength: 48,
      isRequired: true,
    },
    errors,
    locale,
  )}`,
})}`,
    });
  }
};

interface ProofPage {
  path: string;
  title: 'app.settings.secondFactor.renew' | 'app.settings.secondFactor.turnOff';
  text: 'app.settings.recoveryCodes.renewText' | 'app.settings.secondFactor.offText';
  withPassword: boolean;
}

/** Six digits are of an app; a recovery code is longer. */
function parseProof(text = ''): { code: string } | { recoveryCode: string } {
  const isCode = /^[\s-]*(?:\p{Nd}[\s-]*){0,8}$/u.test(text);
  return isCode ? { code: parseDigits(text) } : { recoveryCode: text };
}

function isCode(error: unknown, code: ServiceError['code']): boolean {
  return error instanceof ServiceError && error.code === code;
}
