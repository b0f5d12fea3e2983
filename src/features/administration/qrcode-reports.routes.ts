import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef, toAccountFields } from '../../shared/common.schemas.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import { getQrCodeKindByName } from '../codes/index.ts';
import {
  decryptModerationText,
  dismissReports,
  LAST_REPORTED_FIRST,
  listReportGroups,
  listReportsOfQrCode,
  type ModerationServices,
  parseModerationCategory,
  type QrCodeReportGroup,
  type QrCodeReportRow,
} from '../moderation/index.ts';
import { toDecisionView } from './decisions.ts';
import {
  AdminCodeReport,
  AdminCodeReportQuery,
  AdminReportedCode,
  ReportDismissal,
} from './qrcode-reports.schemas.ts';

const ACCESS = allowUsers('admin:moderation');

/** Routes of administrators for codes that strangers reported. */
export const adminCodeReportRoutes: FastifyPluginAsyncTypebox<ModerationServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/qrcode-reports',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_REPORTS_LISTED') },
      schema: {
        operationId: 'admin.listReportedCodes',
        tags: ['Administration'],
        summary: 'List reported codes without the texts of reports, the last reported first',
        description: 'One entry for each code, with its number of reports by category. Each read is audited.',
        querystring: AdminCodeReportQuery,
        response: { 200: createPageSchema(AdminReportedCode) },
      },
    },
    async (request) => {
      const { status } = request.query;
      const page = parseListPage(request, LAST_REPORTED_FIRST);
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listReportGroups(database.client, status === 'DECIDED', page);
      return toListPage(page, list, toReportedCodeView);
    },
  );

  app.get(
    '/qrcodes/:id/reports',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_REPORTS_READ') },
      schema: {
        operationId: 'admin.listCodeReports',
        tags: ['Administration'],
        summary: 'List the reports of a code, newest first; each access is audited',
        description: 'Repeats from a network are one report with a `count`.',
        params: createIdParamsSchema('id'),
        querystring: PageQuery,
        response: { 200: createPageSchema(AdminCodeReport) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const page = parseListPage(request, NEWEST_FIRST);
      await commitAuditEntry(database, getRequestContext(request), { resourceId: id });
      const list = await listReportsOfQrCode(database.client, id, page);
      return toListPage(page, list, (row) => toCodeReportView(fieldCipher, row));
    },
  );

  app.post(
    '/qrcodes/:id/reports/dismiss',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_REPORTS_DISMISSED'), storesResponse: true },
      schema: {
        operationId: 'admin.dismissCodeReports',
        tags: ['Administration'],
        summary: 'Dismiss the open reports of a code. A takedown decides them, too',
        description: 'Returns how many were open. 409 NO_OPEN_REPORTS if there is none.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(ReportDismissal), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      const dismissed = await dismissReports(database, getRequestContext(request), request.params.id);
      return { dismissed };
    },
  );
};

function toReportedCodeView(row: QrCodeReportGroup): Static<typeof AdminReportedCode> {
  return {
    ...row,
    ...toAccountFields(row.accountId),
    kind: getQrCodeKindByName(row.kind).kind,
    takenDownAt: row.takenDownAt?.toISOString() ?? null,
    firstReportedAt: row.firstReportedAt.toISOString(),
    lastReportedAt: row.lastReportedAt.toISOString(),
  };
}

function toCodeReportView(fieldCipher: FieldCipher, row: QrCodeReportRow): Static<typeof AdminCodeReport> {
  const decisions = ['DISMISSED', 'TAKEN_DOWN'] as const;
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    category: parseModerationCategory(row.category),
    note: row.note && decryptModerationText(fieldCipher, 'reportNote', row, row.note),
    count: row.count,
    decision: decisions.find((decision) => decision === row.decision) ?? null,
    ...toDecisionView(row),
  };
}
