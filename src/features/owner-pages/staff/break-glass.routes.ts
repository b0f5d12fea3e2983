import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { hasRolePermission } from '../../../permissions.ts';
import { recordFailedRequestAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { toListPage } from '../../../platform/http/list-pages.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  BREAK_GLASS_RESOURCE_TYPES,
  BreakGlassRequest,
  endBreakGlassAccess,
  findReasonErrors,
  grantBreakGlassAccess,
  listBreakGlassGrantsWithReasons,
  NEWEST_GRANT_FIRST,
} from '../../administration/index.ts';
import { findQrCodeIdByShortNumber, findScannedQrCodeId, parseShortNumber } from '../../codes/index.ts';
import { renderEmptyState, renderErrorSummary, renderNote } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { describeRefusal, type FormRefusal } from '../settings/settings-page.ts';
import { getRecordPath, renderBreakGlassForm, renderGrant } from './break-glass-page.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';
import { parseStaffListPage, renderNextLink, StaffListParams } from './staff-list.ts';

const BreakGlassForm = Type.Object({
  resourceType: Type.Optional(Type.String()),
  resourceId: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
});

const GrantListQuery = Type.Object({ ...StaffListParams, done: Type.Optional(Type.String()) });

const LIST_AUDIT = auditAs('BREAK_GLASS_GRANTS_LISTED');

const findSchemaErrors = createBodyValidator(BreakGlassRequest);

/** Emergency access to single records: auditors see who had it, administrators open one. */
export const breakGlassStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  app.get(
    '/staff/break-glass',
    {
      config: {
        access: allowByCookie(allowUsers('audit:read')),
        audit: LIST_AUDIT,
        rateLimitClass: 'page',
      },
      schema: { hide: true, querystring: GrantListQuery },
    },
    async (request, reply) => sendGrants(request, reply, {}, {}, request.query),
  );

  app.post(
    '/staff/break-glass',
    {
      config: {
        access: allowByCookie(allowUsers('admin:break-glass')),
        audit: auditAs('BREAK_GLASS_OPENED'),
      },
      schema: { hide: true, body: BreakGlassForm },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const { body } = request;
      const resourceType =
        BREAK_GLASS_RESOURCE_TYPES.find((type) => type === body.resourceType) ??
        BREAK_GLASS_RESOURCE_TYPES[0];
      const input = {
        resourceType,
        resourceId: await findResourceId(resourceType, body.resourceId?.trim() ?? ''),
        reason: body.reason?.trim() ?? '',
      };
      const errors = findInputErrors(input);
      if (errors.length > 0) return sendGrants(request, reply, input, { errors });
      try {
        const { id } = requireAuthenticatedUser(request);
        await grantBreakGlassAccess(services, getRequestContext(request), id, input);
      } catch (error) {
        await recordFailedRequestAuditEntry(services.database, request, error);
        const refused = describeRefusal(
          error,
          reply,
          locale,
          { NOT_FOUND: { field: 'resourceId', code: 'NOT_FOUND' } },
          { RATE_LIMITED: t(locale, 'app.staff.breakGlass.tooMany') },
        );
        return sendGrants(request, reply, input, refused);
      }
      return reply.redirect(getRecordPath(services, input), 303);
    },
  );

  /** In an emergency there is what is printed: an address, or a short number. */
  async function findResourceId(resourceType: string, text: string): Promise<string> {
    if (resourceType !== 'QRCODE') return text.toLowerCase();
    if (URL.canParse(text)) return findScannedQrCodeId(new URL(text)) ?? text;
    const number = parseShortNumber(text);
    const id = number && (await findQrCodeIdByShortNumber(services.database.client, number));
    return id ?? text.toLowerCase();
  }

  app.post(
    '/staff/break-glass/:id/end',
    {
      config: {
        access: allowByCookie(allowUsers('admin:break-glass')),
        audit: auditAs('BREAK_GLASS_ENDED'),
      },
      schema: { hide: true, params: createIdParamsSchema('id') },
    },
    async (request, reply) => {
      await endBreakGlassAccess(services, getRequestContext(request), request.params.id);
      return reply.redirect(`${getStaffEntryPath(services, 'break-glass')}?done=ended`, 303);
    },
  );

  async function sendGrants(
    request: FastifyRequest,
    reply: FastifyReply,
    values: Partial<Record<keyof typeof BreakGlassForm.properties, string>>,
    { errors = [], refusal, status }: FormRefusal,
    { cursor, done }: Static<typeof GrantListQuery> = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const reader = requireAuthenticatedUser(request);
    const page = parseStaffListPage(request, NEWEST_GRANT_FIRST, {}, cursor);
    const context = { ...getRequestContext(request), audit: LIST_AUDIT };
    const list = await listBreakGlassGrantsWithReasons(services, context, page);
    const path = getStaffEntryPath(services, 'break-glass');
    const now = new Date();
    const canOpen = hasRolePermission(reader.role, 'admin:break-glass');
    const token = canOpen ? getFormToken(services, request, reply) : null;
    const { data, pagination } = toListPage(page, list, (grant) =>
      renderGrant(services, grant, { now, reader, token, locale }),
    );
    return sendStaffPage(services, request, reply, {
      title: t(locale, 'app.staff.breakGlass.title'),
      entry: 'break-glass',
      status: status ?? (errors.length > 0 ? 400 : 200),
      body: html`${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)}
${done === 'ended' && renderNote(t(locale, 'app.staff.breakGlass.ended'))}${token !== null && renderBreakGlassForm({ action: path, token, values, errors, locale })}
<h2>${t(locale, 'app.staff.breakGlass.grants')}</h2>
${data.length > 0 ? html`<ul class="cards rows">${data}</ul>` : renderEmptyState(t(locale, 'app.staff.breakGlass.none'))}
${renderNextLink(path, {}, pagination.nextCursor, locale)}`,
    });
  }
};

function findInputErrors(input: { resourceType: string; resourceId: string; reason: string }): FieldError[] {
  const missing = (['resourceId', 'reason'] as const)
    .filter((field) => input[field] === '')
    .map((field) => ({ field, code: 'REQUIRED', message: '' }));
  if (missing.length > 0) return missing;
  return [...findSchemaErrors({ ...input }), ...findReasonErrors({ reason: input.reason })];
}
