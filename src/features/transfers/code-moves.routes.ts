import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { LOCATION_HEADER } from '../../platform/openapi-headers.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import { findCodeMove, listCodeMoves } from './code-move.repository.ts';
import { toCodeMoveView } from './code-move.view.ts';
import { CodeMoveSchema, MAX_MOVED_CODES, NewCodeMove } from './code-moves.schemas.ts';
import { MOVE_CODES_QUEUE } from './move-codes.job.ts';
import { requestCodeMove } from './request-code-move.use-case.ts';
import type { TransferServices } from './transfer-services.ts';

const ACCEPTED_RESPONSE = {
  description: 'The move, which waits for a job.',
  headers: LOCATION_HEADER,
  content: { 'application/json': { schema: schemaRef(CodeMoveSchema) } },
};

export const codeMoveRoutes: FastifyPluginAsyncTypebox<TransferServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '',
    {
      config: { access: allowUsersWithProfile('account:manage'), audit: auditAs('CODE_MOVE_REQUESTED') },
      schema: {
        operationId: 'codeMoves.create',
        tags: ['QR codes'],
        summary: 'Move codes to another account of yours, such as an organization',
        description: `Up to ${MAX_MOVED_CODES.toLocaleString('en')} by id, or all. A job moves them; the address in \`Location\` shows its progress. A code keeps its id, number, printed address, image and version, and takes along its scans, conversations, pictures and memory tag. Test links, reports by email and documents on its page end. You have to own the one account, and be allowed to create codes in the other, until the end. To move codes of an organization, log in within the ten minutes before.`,
        headers: IdempotencyKeyHeader,
        body: NewCodeMove,
        response: { 202: ACCEPTED_RESPONSE, ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const created = await requestCodeMove(services, getRequestContext(request), user, request.body);
      services.jobs.wake(MOVE_CODES_QUEUE);
      const body = prepareReply(reply.code(202), created);
      return reply.send(body);
    },
  );

  app.get(
    '',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'codeMoves.list',
        tags: ['QR codes'],
        summary: 'List the moves of codes that you requested, newest first',
        description: 'Those that wait, and those of the last seven days.',
        querystring: PageQuery,
        response: { 200: createPageSchema(CodeMoveSchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listCodeMoves(database.client, requireAuthenticatedUser(request).id, page);
      return toListPage(page, list, toCodeMoveView);
    },
  );

  app.get(
    '/:id',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('USER') },
      schema: {
        operationId: 'codeMoves.get',
        tags: ['QR codes'],
        summary: 'Get a move of codes and its progress',
        description: 'Poll it until `status` is COMPLETED or FAILED.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(CodeMoveSchema) },
      },
    },
    async (request) => {
      const { id: userId } = requireAuthenticatedUser(request);
      const row = await findCodeMove(database.client, userId, request.params.id);
      if (!row) throw new ServiceError('NOT_FOUND');
      return toCodeMoveView(row);
    },
  );
};
