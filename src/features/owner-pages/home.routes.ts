import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { createBodyValidator } from '../../platform/http/validation.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  allowByCookie,
  allowLimitedMembers,
  allowUsers,
  auditAs,
  skipAudit,
} from '../../platform/route-access.ts';
import { formatHostCookie, getHostCookieName } from '../../platform/session-cookie.ts';
import { createIdParamsSchema } from '../../shared/common.schemas.ts';
import { parseCookieHeader } from '../../shared/cookies.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { createProfile, RegistrationRequest } from '../identity/index.ts';
import { DoneQuery, renderDone } from './codes/code-actions.ts';
import { type FormErrors, renderErrorSummary, renderField, renderForm, renderNote } from './components.ts';
import { sendDraftPage, takeDraftCookie } from './draft.ts';
import { getFormToken, getPermittedFormToken } from './form-token.ts';
import { createHomePage, type HomeLayout } from './home/home-page.ts';
import { computeVisit } from './home/last-visit.rules.ts';
import { MAX_SHOWN_CODES, readHomePage } from './home/read-home-page.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from './layout.ts';
import {
  getAccountPath,
  getOwnerPagesPath,
  isSecure,
  type OwnerPageServices,
} from './owner-page-services.ts';
import { parseTarget } from './target.rules.ts';
import { renderOfferAfterLoss } from './web-push/web-push-offer.ts';

/** Pages of an account before it has a profile, too. */
export const SIGNED_IN_ACCESS = allowByCookie(allowUsers('account:manage'));

const WelcomeQuery = Type.Object({ to: Type.Optional(Type.String()), note: Type.Optional(Type.String()) });

/** `layout` is `cards` or `table`; by default cards for as many codes as the page can show. */
const HomeQuery = Type.Object({ ...DoneQuery.properties, layout: Type.Optional(Type.String()) });

const VISIT_COOKIE = 'home-visit';

const AccountParams = createIdParamsSchema('accountId');

type Names = Partial<Record<'firstName' | 'lastName', string>>;

const findNameErrors = createBodyValidator(Type.Pick(RegistrationRequest, ['firstName', 'lastName']));

/** The first page after a sign-in, and the one before it for somebody without a name. */
export const homePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const pageConfig = { access: SIGNED_IN_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' } as const;

  app.get('', { config: pageConfig, schema: { hide: true } }, async (request, reply) =>
    reply.redirect(getAccountPath(services, requireAuthenticatedUser(request).id), 303),
  );

  app.get(
    '/:accountId',
    {
      config: {
        ...pageConfig,
        access: allowLimitedMembers(allowByCookie(allowUsers('dashboard:own')), 'FILTERED'),
      },
      schema: { hide: true, params: AccountParams, querystring: HomeQuery },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      if (user.status !== 'ACTIVE') throw new ServiceError('PROFILE_REQUIRED');
      // The page is about all codes.
      if (user.account?.folderIds)
        return reply.redirect(`${getAccountPath(services, request.params.accountId)}/codes`, 303);
      const locale = chooseOwnerPageLocale(request);
      const token = getPermittedFormToken(services, request, reply, 'qrcodes:own');
      const accountPath = getAccountPath(services, request.params.accountId);
      const visitedAt = recordVisit(request, reply);
      const read = await readHomePage(services, getRequestContext(request), user, visitedAt);
      const layouts: readonly HomeLayout[] = ['cards', 'table'];
      const layout = layouts.find((name) => name === request.query.layout);
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.home'),
        entry: 'home',
        body: createHomePage({
          ...read,
          accountPath,
          visitedAt,
          layout: layout ?? (read.total > MAX_SHOWN_CODES ? 'table' : 'cards'),
          done: html`${renderDone(`${accountPath}/codes`, request.query, { to: 'home', token, locale })}${await renderOfferAfterLoss(services, request, reply, request.query)}`,
          token,
          timeZone: user.timeZone,
          locale,
        }),
      });
    },
  );

  app.get(
    '/:accountId/welcome',
    { config: pageConfig, schema: { hide: true, params: AccountParams, querystring: WelcomeQuery } },
    async (request, reply) => {
      const { to, note } = request.query;
      if (requireAuthenticatedUser(request).status === 'ACTIVE')
        return reply.redirect(
          parseTarget(to, getOwnerPagesPath(services)) ?? getAccountPath(services, request.params.accountId),
          303,
        );
      return sendWelcomePage(request, reply, { to, isPasswordMissing: note === 'password-link' });
    },
  );

  app.post(
    '/:accountId/welcome',
    {
      config: { access: SIGNED_IN_ACCESS, audit: auditAs('PROFILE_CREATED') },
      schema: {
        hide: true,
        params: AccountParams,
        body: Type.Object({
          firstName: Type.Optional(Type.String()),
          lastName: Type.Optional(Type.String()),
          to: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { firstName = '', lastName = '', to } = request.body;
      const values = { firstName: firstName.trim(), lastName: lastName.trim() };
      const errors = findErrors(values);
      if (errors.length > 0) return sendWelcomePage(request, reply, { values, errors, to });
      const { id } = requireAuthenticatedUser(request);
      const input = { ...values, language: chooseOwnerPageLocale(request).tag };
      try {
        const noPicture = { picture: undefined, disconnect: undefined };
        await createProfile(services, getRequestContext(request), id, input, noPicture);
      } catch (error) {
        // Sent twice.
        if (!(error instanceof ServiceError) || error.code !== 'PROFILE_EXISTS') throw error;
      }
      const draft = takeDraftCookie(services, request, reply);
      if (draft?.action.startsWith(`${getAccountPath(services, id)}/`))
        return sendDraftPage(services, request, reply, draft, {
          token: getFormToken(services, request, reply),
        });
      const target = parseTarget(to, getOwnerPagesPath(services));
      return reply.redirect(target ?? getAccountPath(services, id), 303);
    },
  );

  /** Remember in the browser when the page was opened; returns when the visit before this one ended. */
  function recordVisit(request: FastifyRequest, reply: FastifyReply): Date {
    const secure = isSecure(services);
    const cookie = parseCookieHeader(request.headers.cookie)[getHostCookieName(VISIT_COOKIE, secure)];
    const visit = computeVisit(cookie, requireAccount(request).id, new Date());
    const lifetime = LIFETIMES_SECONDS.homeVisit;
    reply.header('set-cookie', formatHostCookie(VISIT_COOKIE, visit.cookie, lifetime, secure));
    return visit.since;
  }

  function sendWelcomePage(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      values = {},
      errors = [],
      to,
      isPasswordMissing = false,
    }: { values?: Names; errors?: FormErrors; to?: string | undefined; isPasswordMissing?: boolean },
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const { id } = requireAuthenticatedUser(request);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'welcome.title'),
      isNarrow: true,
      status: errors.length > 0 ? 400 : 200,
      body: html`${renderErrorSummary(errors, locale)}${isPasswordMissing && renderNote(t(locale, 'welcome.passwordLink'))}<p>${t(locale, 'welcome.text')}</p>
${renderForm({
  action: `${getAccountPath(services, id)}/welcome`,
  token: getFormToken(services, request, reply),
  submit: t(locale, 'welcome.button'),
  hidden: { to },
  fields: [
    renderField(
      {
        name: 'firstName',
        label: t(locale, 'signUp.firstName'),
        value: values.firstName,
        autocomplete: 'given-name',
        maxLength: 100,
        isRequired: true,
      },
      errors,
      locale,
    ),
    renderField(
      {
        name: 'lastName',
        label: t(locale, 'signUp.lastName'),
        value: values.lastName,
        autocomplete: 'family-name',
        maxLength: 100,
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

function findErrors(values: Required<Names>): FormErrors {
  const missing = (['firstName', 'lastName'] as const).filter((name) => values[name] === '');
  const errors = findNameErrors({ ...values }).filter(({ field }) => !missing.some((name) => name === field));
  return [...missing.map((field) => ({ field, code: 'REQUIRED', message: '' })), ...errors];
}
