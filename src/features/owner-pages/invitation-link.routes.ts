import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  allowByCookie,
  allowUsers,
  allowUsersWithProfile,
  auditAs,
  skipAudit,
} from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { t, translateHtml } from '../../shared/i18n/translate.ts';
import { acceptInvitation, declineInvitation, findInvitationByToken } from '../identity/index.ts';
import { getFormToken } from './form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage, withLanguage } from './layout.ts';
import { getAccountPath, getOwnerPagesPath, type OwnerPageServices } from './owner-page-services.ts';
import { renderReceivedInvitation } from './settings/invitation-pages.ts';
import { redirectWithDone } from './settings/settings-page.ts';
import { SIGNED_OUT_ACCESS } from './sign-in.routes.ts';
import { withTarget } from './target.rules.ts';

const TokenParams = Type.Object({ token: Type.String({ maxLength: 100 }) });

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/**
 * Where the link of an invitation leads to. Before the sign-in the page is the same for every link; afterwards only the user
 * of the invited address learns of which organization it is.
 */
export const invitationLinkPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const pagesPath = getOwnerPagesPath(services);

  app.get(
    '/invitations/:token',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('ORGANIZATION'), rateLimitClass: 'page' },
      schema: { hide: true, params: TokenParams },
    },
    async (request, reply) => {
      const { user } = request;
      if (!user) return sendSignedOutPage(request, reply);
      if (user.status === 'VERIFIED') {
        const welcome = `${getAccountPath(services, user.id)}/welcome`;
        return reply.redirect(withTarget(welcome, getPath(request)), 303);
      }
      return sendInvitation(request, reply);
    },
  );

  app.post(
    '/invitations/:token/accept',
    {
      config: {
        access: allowByCookie(allowUsersWithProfile('account:manage')),
        audit: auditAs('INVITATION_ACCEPTED'),
      },
      schema: { hide: true, params: TokenParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      try {
        await acceptInvitation(services, getRequestContext(request), user, request.params);
      } catch (error) {
        return sendInvalidPage(request, reply, error);
      }
      return redirectWithDone(reply, getOrganizationsPath(request), 'invitation-accepted');
    },
  );

  app.post(
    '/invitations/:token/decline',
    {
      config: {
        access: allowByCookie(allowUsers('account:manage')),
        audit: auditAs('INVITATION_DECLINED'),
      },
      schema: { hide: true, params: TokenParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      try {
        await declineInvitation(services, getRequestContext(request), user, request.params);
      } catch (error) {
        return sendInvalidPage(request, reply, error);
      }
      return redirectWithDone(reply, getOrganizationsPath(request), 'invitation-declined');
    },
  );

  function getPath({ params }: TokenRequest): string {
    return `${pagesPath}/invitations/${encodeURIComponent(params.token)}`;
  }

  function getOrganizationsPath(request: FastifyRequest): string {
    const { id } = requireAuthenticatedUser(request);
    return `${getAccountPath(services, id)}/settings/organizations`;
  }

  function sendSignedOutPage(request: TokenRequest, reply: FastifyReply): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const path = getPath(request);
    const link = (page: string) => withLanguage(withTarget(`${pagesPath}/${page}`, path), request);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.invitations.page.title'),
      isNarrow: true,
      address: path,
      body: html`<p>${t(locale, 'app.invitations.page.signIn')}</p>
<p><a class="act wide" href="${link('sign-in')}">${t(locale, 'signIn.button')}</a></p>
<p><a class="act plain wide" href="${link('sign-up')}">${t(locale, 'signIn.newHere')}</a></p>`,
    });
  }

  async function sendInvitation(request: TokenRequest, reply: FastifyReply): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    const locale = chooseOwnerPageLocale(request);
    try {
      const invitation = await findInvitationByToken(services, user, request.params.token);
      if (invitation.status === 'ACCEPTED')
        return reply.redirect(getAccountPath(services, invitation.accountId), 303);
      const token = getFormToken(services, request, reply);
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.invitations.page.title'),
        isNarrow: true,
        body: renderReceivedInvitation(invitation, { path: getPath(request), token, user, locale }),
      });
    } catch (error) {
      return sendInvalidPage(request, reply, error);
    }
  }

  /** @throws what is another error */
  function sendInvalidPage(request: TokenRequest, reply: FastifyReply, error: unknown): FastifyReply {
    if (!(error instanceof ServiceError) || error.code !== 'INVITATION_INVALID') throw error;
    const { email } = requireAuthenticatedUser(request);
    const locale = chooseOwnerPageLocale(request);
    const query = new URLSearchParams({ to: getPath(request), reason: 'invitation' });
    const text = translateHtml(locale, 'app.invitations.page.invalidText', {
      email: html`<bdi>${email}</bdi>`,
    });
    return sendOwnerPage(services, request, reply, {
      status: error.statusCode,
      title: t(locale, 'app.invitations.page.invalidTitle'),
      isNarrow: true,
      body: html`<p>${text}</p>
<p><a class="act plain" href="${pagesPath}/sign-in?${String(query)}">${t(locale, 'app.invitations.page.otherAddress')}</a></p>`,
    });
  }
};
