import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { addVary } from '../../../platform/http/add-vary.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { sendHeadersOnly } from '../../../platform/http/send-headers-only.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import {
  createTableExportResponseSchema,
  createTableExportStream,
  sendTableExport,
  setTableExportHeaders,
} from '../../../platform/table-export.ts';
import { AcceptLanguageHeader, createIdParamsSchema, schemaRef } from '../../../shared/common.schemas.ts';
import { chooseLocale } from '../../../shared/i18n/choose-locale.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { requireOrganizationSession } from '../../identity/index.ts';
import type { AuditServices } from '../audit-services.ts';
import {
  MAX_VERIFIED_ENTRIES,
  OrganizationAuditExportQuery,
  OrganizationAuditQuery,
  OrganizationAuditResponse,
  OrganizationAuditVerification,
  OrganizationAuditVerificationQuery,
} from './organization-audit.schemas.ts';
import { toOrganizationAuditEntryView } from './organization-audit.view.ts';
import {
  getAuditedOrganization,
  iterateOrganizationAudit,
  listOrganizationAudit,
  toOrganizationAuditFilter,
} from './read-organization-audit.ts';
import { verifyOrganizationEntries } from './verify-organization-entries.ts';

const EXPORT_COLUMNS = [
  'id',
  'createdAt',
  'who',
  'actorId',
  'actorName',
  'text',
  'action',
  'severity',
  'outcome',
  'resourceType',
  'resourceId',
  'changes',
];

/** Routes of owners to read and verify the audit trail of their organization. */
export const organizationAuditRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (app, services) => {
  const { database } = services;

  app.addHook('preHandler', (request) =>
    requireOrganizationSession(database, request, Reflect.get(Object(request.params), 'id')),
  );

  app.get(
    '/:id/audit-logs',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION'), cache: 'revalidate' },
      schema: {
        operationId: 'organizations.listAuditLogs',
        tags: ['Organizations'],
        summary: 'List what was done for an organization and with its data, newest first',
        description:
          'Owners only; other members get 403 FORBIDDEN. Members have their name, everybody else is named by what they are. Each entry has a `text` in a language of `Accept-Language`.',
        headers: AcceptLanguageHeader,
        params: createIdParamsSchema('id'),
        querystring: OrganizationAuditQuery,
        response: { 200: schemaRef(OrganizationAuditResponse), ...createProblemResponseSchemas(403) },
      },
    },
    async (request, reply) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const reading = await createReading(request, reply, request.params.id, request.query);
      const { reader, ...list } = await listOrganizationAudit(database, reading, page);
      return toListPage(page, list, (row) => toOrganizationAuditEntryView(row, reader));
    },
  );

  app.get(
    '/:id/audit-logs/export',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('AUDIT_LOG_EXPORTED') },
      schema: {
        operationId: 'organizations.exportAuditLogs',
        tags: ['Organizations'],
        summary:
          'Export the audit entries of an organization as JSON Lines or CSV, with the filters of the list',
        description: 'Owners only. The export is an entry, too.',
        headers: AcceptLanguageHeader,
        params: createIdParamsSchema('id'),
        querystring: OrganizationAuditExportQuery,
        response: {
          200: createTableExportResponseSchema('The matching entries, newest first.'),
          ...createProblemResponseSchemas(403),
        },
      },
    },
    async (request, reply) => {
      const { format, bom, ...query } = request.query;
      const reading = await createReading(request, reply, request.params.id, query);
      setTableExportHeaders(reply, 'audit-log', format);
      if (request.method === 'HEAD') return sendHeadersOnly(reply);
      const lines = createLines(iterateOrganizationAudit(database, reading));
      const content = createTableExportStream(reading.userId, lines, EXPORT_COLUMNS, { format, bom });
      const { accountId } = reading.filter;
      return sendTableExport(reply, content, () =>
        commitAuditEntry(database, getRequestContext(request), { accountId }),
      );
    },
  );

  app.get(
    '/:id/audit-logs/verify',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION') },
      schema: {
        operationId: 'organizations.verifyAuditLogs',
        tags: ['Organizations'],
        summary: 'Verify that the audit entries of an organization are as they were sealed',
        description: `Owners only. Up to ${MAX_VERIFIED_ENTRIES} entries, the newest first, each by its seal and the signature of its batch; up to 20 times an hour. That no entry is missing from the chain is verified with the whole trail, by auditors.`,
        params: createIdParamsSchema('id'),
        querystring: OrganizationAuditVerificationQuery,
        response: {
          200: schemaRef(OrganizationAuditVerification),
          ...createProblemResponseSchemas(403, 429),
        },
      },
    },
    async (request, reply) => {
      const { filter } = await createReading(request, reply, request.params.id, request.query);
      const verification = await verifyOrganizationEntries(services, filter);
      return { ...verification, at: new Date().toISOString() };
    },
  );

  async function createReading(
    request: FastifyRequest,
    reply: FastifyReply,
    organizationId: string,
    query: Parameters<typeof toOrganizationAuditFilter>[1],
  ) {
    const { id: userId, timeZone } = requireAuthenticatedUser(request);
    const { id: accountId } = await getAuditedOrganization(database.client, userId, organizationId);
    addVary(reply, 'Accept-Language');
    return {
      userId,
      filter: toOrganizationAuditFilter(accountId, query, timeZone),
      locale: chooseLocale(undefined, request.headers['accept-language']),
    };
  }
};

async function* createLines(batches: ReturnType<typeof iterateOrganizationAudit>) {
  for await (const { rows, reader } of batches)
    yield rows.map((row) => JSON.stringify(toOrganizationAuditEntryView(row, reader)));
}
