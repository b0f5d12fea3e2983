import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import {
  findResetPasswordErrors,
  MIN_PASSWORD_CHARACTERS,
  requestPasswordReset,
  resetPassword,
} from '../identity/index.ts';
import { type FormErrors, renderErrorSummary, renderField, renderForm, renderNote } from './components.ts';
import { getFormToken } from './form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage, withLanguage } from './layout.ts';
import { getOwnerPagesPath, type OwnerPageServices } from './owner-page-services.ts';
import { SIGNED_OUT_ACCESS } from './sign-in.routes.ts';
import { translateRefusal } from './translate-refusal.ts';

/** A new password for somebody who forgot theirs. */
export const passwordPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const path = getOwnerPagesPath(services);
  const pageConfig = { access: SIGNED_OUT_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' } as const;

  app.get('/forgot-password', { config: pageConfig, schema: { hide: true } }, async (request, reply) =>
    sendForgotPage(request, reply, {}),
  );

  app.post(
    '/forgot-password',
    {
      config: {
        access: SIGNED_OUT_ACCESS,
        audit: auditAs('PASSWORD_RESET_REQUESTED'),
        rateLimitClass: 'auth',
      },
      schema: { hide: true, body: Type.Object({ email: Type.Optional(Type.String()) }) },
    },
    async (request, reply) => {
      const { email = '' } = request.body;
      const locale = chooseOwnerPageLocale(request);
      try {
        await requestPasswordReset(services, getRequestContext(request), email);
        return sendForgotPage(request, reply, { isSent: true });
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          VALIDATION_FAILED: t(locale, 'app.error.badEmail'),
        });
        return sendForgotPage(request, reply, { email, status, refusal: text });
      }
    },
  );

  app.get('/reset-password', { config: pageConfig, schema: { hide: true } }, async (request, reply) =>
    sendResetPage(request, reply, {}),
  );

  app.post(
    '/reset-password',
    {
      config: {
        access: SIGNED_OUT_ACCESS,
        audit: auditAs('PASSWORD_RESET'),
        rateLimitClass: 'auth',
        requiresPasswordHashing: true,
      },
      schema: {
        hide: true,
        body: Type.Object({ link: Type.Optional(Type.String()), password: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { link = '', password = '' } = request.body;
      const locale = chooseOwnerPageLocale(request);
      const token = link.trim().split('#token=').at(-1) ?? '';
      const errors = await findResetPasswordErrors(services.database.client, { token, password });
      if (errors.length > 0) return sendResetPage(request, reply, { link, errors });
      try {
        await resetPassword(services, getRequestContext(request), { token, password });
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          RESET_TOKEN_INVALID: t(locale, 'resetPassword.invalid'),
        });
        const hasEnded = error instanceof ServiceError && error.code === 'RESET_TOKEN_INVALID';
        return sendResetPage(request, reply, { link, status, refusal: text, hasEnded });
      }
      return reply.redirect(withLanguage(`${path}/sign-in?reason=password-changed`, request), 303);
    },
  );

  function sendForgotPage(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      email,
      status = 200,
      refusal,
      isSent = false,
    }: { email?: string; status?: number; refusal?: string; isSent?: boolean },
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const form = renderForm({
      action: withLanguage(`${path}/forgot-password`, request),
      token: getFormToken(services, request, reply),
      submit: t(locale, 'forgotPassword.button'),
      fields: renderField(
        {
          name: 'email',
          label: t(locale, 'signIn.email'),
          type: 'email',
          value: email,
          autocomplete: 'username',
          isRequired: true,
        },
        [],
        locale,
      ),
    });
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'forgotPassword.title'),
      isNarrow: true,
      address: `${path}/forgot-password`,
      status,
      body: html`${refusal && renderNote(refusal, 'wrong')}${
        isSent
          ? renderNote(t(locale, 'forgotPassword.sent'))
          : html`<p>${t(locale, 'forgotPassword.text')}</p>\n${form}`
      }<p><a href="${withLanguage(`${path}/sign-in`, request)}">${t(locale, 'forgotPassword.backToSignIn')}</a></p>`,
    });
  }

  function sendResetPage(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      link,
      errors = [],
      status = errors.length > 0 ? 400 : 200,
      refusal,
      hasEnded = false,
    }: { link?: string; errors?: FormErrors; status?: number; refusal?: string; hasEnded?: boolean },
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const again = html`<p><a class="act" href="${withLanguage(`${path}/forgot-password`, request)}">${t(locale, 'resetPassword.again')}</a></p>`;
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'resetPassword.title'),
      isNarrow: true,
      address: `${path}/reset-password`,
      status,
      body: hasEnded
        ? html`${refusal && renderNote(refusal, 'wrong')}${again}`
        : html`${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)}
${renderForm({
  action: withLanguage(`${path}/reset-password`, request),
  token: getFormToken(services, request, reply),
  submit: t(locale, 'resetPassword.button'),
  fields: [
    renderField(
      {
        name: 'link',
        label: t(locale, 'resetPassword.link'),
        value: link,
        autocomplete: 'off',
        hint: t(locale, 'resetPassword.linkHint'),
        isRequired: true,
        script: 'reset-link',
      },
      errors,
      locale,
    ),
    renderField(
      {
        name: 'password',
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
})}`,
    });
  }
};
