import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { changePolicies, OrganizationPoliciesChange, readPolicies } from '../../identity/index.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderOrganizationSecurity } from './organization-security-page.ts';
import { getSentVersion } from './organizations.routes.ts';
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

const FormBody = Type.Record(Type.String(), Type.String());

const findErrors = createBodyValidator(OrganizationPoliciesChange);

/** What an organization requires of its members: for managers to read, for owners to change. */
export const organizationSecurityPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  app.get(
    '/organizations/:organizationId/security',
    {
      config: { ...SETTINGS_PAGE_CONFIG, audit: skipAudit('ORGANIZATION') },
      schema: { hide: true, params: OrganizationParams },
    },
    async (request, reply) => sendSecurity(request, reply, request.params.organizationId, {}),
  );

  app.post(
    '/organizations/:organizationId/security',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('ORGANIZATION_POLICIES_UPDATED') },
      schema: { hide: true, params: OrganizationParams, body: FormBody },
    },
    async (request, reply) => {
      const { body } = request;
      const { organizationId: id } = request.params;
      const input = {
        secondFactorRequired: body.secondFactorRequired !== undefined,
        maxSessionHours: body.maxSessionHours ? Number(body.maxSessionHours) : null,
      };
      const errors = findErrors(input);
      if (errors.length > 0) return sendSecurity(request, reply, id, { errors });
      try {
        const key = { id, ifMatch: getSentVersion(request) };
        await changePolicies(
          services,
          getRequestContext(request),
          requireAuthenticatedUser(request),
          key,
          input,
        );
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const texts = {
          PRECONDITION_FAILED: t(locale, 'app.organizations.conflict'),
          FORBIDDEN: t(locale, 'app.organizations.ownersOnly'),
        };
        return sendSecurity(request, reply, id, describeRefusal(error, reply, locale, {}, texts));
      }
      return redirectWithDone(reply, getPath(request, id), 'organization-saved');
    },
  );

  function getPath(request: FastifyRequest, id: string): string {
    return `${getSettingsPath(services, request)}/organizations/${id}/security`;
  }

  async function sendSecurity(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    refused: FormRefusal,
  ): Promise<FastifyReply> {
    const { id: userId } = requireAuthenticatedUser(request);
    const locale = chooseOwnerPageLocale(request);
    const { organization, policies } = await readPolicies(services.database.client, userId, id);
    return sendSettingsPage(services, request, reply, {
      tab: 'organizations',
      title: t(locale, 'app.settings.security'),
      hasTabs: true,
      isNarrow: true,
      refused,
      body: renderOrganizationSecurity({
        organization,
        policies,
        path: getPath(request, id),
        token: organization.role === 'OWNER' ? getFormToken(services, request, reply) : null,
        locale,
      }),
    });
  }
};
