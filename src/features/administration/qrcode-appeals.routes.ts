import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef, toAccountFields } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema } from '../../shared/pagination.ts';
import {
  type AppealRow,
  decideAppeal,
  findAppeal,
  findLastTakedown,
  listAppeals,
  type ModerationServices,
  parseAppealDecision,
  parseModerationCategory,
  toAppealView,
  toTakedownView,
} from '../moderation/index.ts';
import { parseDecidedFilter, toDecisionView } from './decisions.ts';
import {
  AdminAppeal,
  AdminAppealDetails,
  AdminAppealQuery,
  AppealDecisionRequest,
} from './qrcode-takedowns.schemas.ts';

const ACCESS = allowUsers('admin:moderation');

/** Routes of administrators to decide appeals of owners. */
export const adminAppealRoutes: FastifyPluginAsyncTypebox<ModerationServices> = async (app, services) => {
  const { database, fieldCipher, mailOutbox } = services;

  app.get(
    '/qrcode-appeals',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_APPEALS_LISTED') },
      schema: {
        operationId: 'admin.listAppeals',
        tags: ['Administration'],
        summary: 'List appeals against takedowns without their texts, newest first',
        description: 'Read one for its texts. Each read is audited.',
        querystring: AdminAppealQuery,
        response: { 200: createPageSchema(AdminAppeal) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const isDecided = parseDecidedFilter(request.query.status);
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listAppeals(database.client, isDecided, page);
      return toListPage(page, list, toAdminAppealView);
    },
  );

  app.get(
    '/qrcode-appeals/:id',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_APPEAL_READ') },
      schema: {
        operationId: 'admin.getAppeal',
        tags: ['Administration'],
        summary: 'Get an appeal with its texts; each access is audited',
        description: 'Returns what the owner wrote, the answer, and the takedown with its reason.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(AdminAppealDetails) },
      },
    },
    async (request) => {
      const row = await findAppeal(database.client, request.params.id);
      const takedown = row && (await findLastTakedown(database.client, row.takedown.qrCodeId));
      if (!row || !takedown) throw new ServiceError('NOT_FOUND');
      await commitAuditEntry(database, getRequestContext(request), { resourceId: row.takedown.qrCodeId });
      const { message, answer } = toAppealView(fieldCipher, row);
      return { ...toAdminAppealView(row), message, answer, takedown: toTakedownView(fieldCipher, takedown) };
    },
  );

  app.post(
    '/qrcode-appeals/:id/decision',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_APPEAL_REJECTED'), storesResponse: true },
      schema: {
        operationId: 'admin.decideAppeal',
        tags: ['Administration'],
        summary: 'Decide an appeal. An appeal can be decided once',
        description: 'REINSTATED ends the takedown. The owner is notified with the answer.',
        params: createIdParamsSchema('id'),
        body: AppealDecisionRequest,
        response: { 200: schemaRef(AdminAppeal), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const decision = { decision: body.decision, answer: body.answer ?? null };
      const row = await decideAppeal(services, getRequestContext(request), params.id, decision);
      mailOutbox.wake();
      return toAdminAppealView(row);
    },
  );
};

function toAdminAppealView(row: AppealRow): Static<typeof AdminAppeal> {
  return {
    id: row.id,
    qrCodeId: row.takedown.qrCodeId,
    ...toAccountFields(row.accountId),
    category: parseModerationCategory(row.takedown.category),
    decision: parseAppealDecision(row.decision),
    takenDownAt: row.takedown.createdAt.toISOString(),
    ...toDecisionView(row),
  };
}
