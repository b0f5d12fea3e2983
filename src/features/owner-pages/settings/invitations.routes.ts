import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import {
  getManagedOrganization,
  inviteMember,
  listPendingInvitations,
  MAX_PENDING_INVITATIONS,
  NewInvitation,
  type NewInvitationInput,
  resendInvitation,
  revokeInvitation,
  toInvitationView,
} from '../../identity/index.ts';
import { getFormContext } from '../form-context.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderInvitations } from './invitation-pages.ts';
import {
  ACCOUNT_ACCESS,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const OrganizationParams = createIdParamsSchema('accountId', 'organizationId');
const InvitationParams = createIdParamsSchema('accountId', 'organizationId', 'invitationId');

const FormBody = Type.Record(Type.String(), Type.String());

const PROFILE_ACCESS = allowByCookie(allowUsersWithProfile('account:manage'));

const findErrors = createBodyValidator(NewInvitation);

type InvitationRequest = FastifyRequest<{ Params: { organizationId: string; invitationId: string } }>;

/** The invitations of an organization, for its owners and managers. */
export const invitationPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const getPath = (request: FastifyRequest<{ Params: { organizationId: string } }>) =>
    `${getSettingsPath(services, request)}/organizations/${request.params.organizationId}/invitations`;

  app.get(
    '/organizations/:organizationId/invitations',
    {
      config: { ...SETTINGS_PAGE_CONFIG, audit: skipAudit('ORGANIZATION') },
      schema: { hide: true, params: OrganizationParams },
    },
    async (request, reply) => sendInvitations(request, reply, {}),
  );

  app.post(
    '/organizations/:organizationId/invitations',
    {
      config: { access: PROFILE_ACCESS, audit: auditAs('INVITATION_CREATED') },
      schema: { hide: true, params: OrganizationParams, body: FormBody },
    },
    async (request, reply) => {
      const input = { email: request.body.email?.trim() ?? '', role: request.body.role };
      const errors = findErrors(input);
      if (errors.length > 0) return sendInvitations(request, reply, { errors });
      const { organizationId } = request.params;
      const context = getFormContext(request, request.body.key);
      const user = requireAuthenticatedUser(request);
      try {
        await inviteMember(services, context, user, organizationId, input as NewInvitationInput);
      } catch (error) {
        return sendInvitations(request, reply, describeInvitationRefusal(error, request, reply));
      }
      return redirectWithDone(reply, getPath(request), 'invitation-sent');
    },
  );

  app.post(
    '/organizations/:organizationId/invitations/:invitationId/resend',
    {
      config: { access: PROFILE_ACCESS, audit: auditAs('INVITATION_RESENT') },
      schema: { hide: true, params: InvitationParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      try {
        await resendInvitation(services, getRequestContext(request), user, getKey(request));
      } catch (error) {
        return sendInvitations(request, reply, describeInvitationRefusal(error, request, reply));
      }
      return redirectWithDone(reply, getPath(request), 'invitation-sent');
    },
  );

  app.post(
    '/organizations/:organizationId/invitations/:invitationId/revoke',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('INVITATION_REVOKED') },
      schema: { hide: true, params: InvitationParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      try {
        await revokeInvitation(services, getRequestContext(request), user, getKey(request));
      } catch (error) {
        return sendInvitations(request, reply, describeInvitationRefusal(error, request, reply));
      }
      return redirectWithDone(reply, getPath(request), 'invitation-revoked');
    },
  );

  function getKey({ params }: InvitationRequest) {
    return { accountId: params.organizationId, id: params.invitationId };
  }

  function describeInvitationRefusal(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FormRefusal {
    if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED')
      return { errors: error.errors ?? [] };
    const locale = chooseOwnerPageLocale(request);
    const fields = { ALREADY_MEMBER: { field: 'email', code: 'ALREADY_MEMBER' } };
    return describeRefusal(error, reply, locale, fields, {
      FORBIDDEN: t(locale, 'app.invitations.forbidden'),
      TOO_MANY_INVITATIONS: t(locale, 'app.invitations.tooMany', { count: MAX_PENDING_INVITATIONS }),
      PLAN_LIMIT_REACHED: t(locale, 'app.invitations.planLimit'),
      INVITATION_ENDED: t(locale, 'app.invitations.ended'),
      ORGANIZATION_CLOSED: t(locale, 'app.invitations.closed'),
      IDEMPOTENCY_KEY_REUSED: t(locale, 'app.developers.again'),
    });
  }

  async function sendInvitations(
    request: FastifyRequest<{ Params: { organizationId: string } }>,
    reply: FastifyReply,
    { errors = [], ...refused }: FormRefusal,
  ): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    const { organizationId } = request.params;
    const organization = await getManagedOrganization(database.client, user.id, organizationId);
    const rows = await listPendingInvitations(database.client, organizationId);
    const locale = chooseOwnerPageLocale(request);
    const isMember = errors.some(({ code }) => code === 'ALREADY_MEMBER');
    const formErrors = errors.map((error) =>
      error.code === 'BAD_FORMAT' && error.field === 'email' ? { ...error, code: 'BAD_EMAIL' } : error,
    );
    return sendSettingsPage(services, request, reply, {
      tab: 'organizations',
      title: organization.name,
      hasTabs: true,
      refused: { ...refused, errors: formErrors },
      body: renderInvitations({
        organization,
        organizationPath: getPath(request).replace(/\/invitations$/, ''),
        invitations: rows.map((row) => toInvitationView(fieldCipher, row)),
        path: getPath(request),
        token: getFormToken(services, request, reply),
        user,
        locale,
        values: request.method === 'POST' ? (request.body as Record<string, string>) : {},
        errors: formErrors,
        emailError: isMember ? t(locale, 'app.invitations.alreadyMember') : undefined,
        formKey: generateId(),
      }),
    });
  }
};
