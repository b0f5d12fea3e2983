import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAccount } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { parseListPage, selectListRange, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowLimitedMembers,
  allowUsers,
  allowUsersWithProfile,
  auditAs,
  skipAudit,
} from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import {
  changeFolder,
  createFolder,
  deleteFolder,
  readFolder,
  readFolders,
  restoreFolder,
} from './change-folders.use-case.ts';
import { FOLDER_ORDER, type FolderKey } from './folder.repository.ts';
import { FolderChange, FolderSchema, MAX_FOLDERS, NewFolder } from './folders.schemas.ts';

/** Folders that an account sorts its codes into. */
export const folderRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const access = allowUsers('qrcodes:own');
  const getKey = (request: FastifyRequest<{ Params: { id: string } }>): FolderKey => ({
    accountId: requireAccount(request).id,
    id: request.params.id,
  });

  app.post(
    '',
    {
      config: { access: allowUsersWithProfile('qrcodes:own'), audit: auditAs('FOLDER_CREATED') },
      schema: {
        operationId: 'folders.create',
        tags: ['QR codes'],
        summary: 'Create a folder',
        description: `Put codes into it by their \`folderId\`. An account can have up to ${MAX_FOLDERS} (409 TOO_MANY_FOLDERS), each with a name of its own (409 FOLDER_NAME_TAKEN). There are no folders within folders.`,
        headers: IdempotencyKeyHeader,
        body: NewFolder,
        response: { 201: schemaRef(FolderSchema), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const { id } = requireAccount(request);
      return prepareCreatedReply(
        reply,
        await createFolder(services, getRequestContext(request), id, request.body),
      );
    },
  );

  app.get(
    '',
    {
      config: {
        access: allowLimitedMembers(access, 'FILTERED'),
        audit: skipAudit('USER'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'folders.list',
        tags: ['QR codes'],
        summary: 'List your folders by name',
        description: 'With the number of codes in each. GET /api/qrcodes?folder=<id> lists these codes.',
        querystring: PageQuery,
        response: { 200: createPageSchema(FolderSchema) },
      },
    },
    async (request) => {
      const { id: accountId, folderIds } = requireAccount(request);
      const folders = await readFolders(services, accountId, folderIds);
      const page = parseListPage(request, FOLDER_ORDER);
      return toListPage(page, selectListRange(page, folders), (folder) => folder);
    },
  );

  app.get(
    '/:id',
    {
      config: { access, audit: skipAudit('USER') },
      schema: {
        operationId: 'folders.get',
        tags: ['QR codes'],
        summary: 'Get a folder',
        description: 'Its name, its color and the number of its codes.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(FolderSchema) },
      },
    },
    async (request, reply) => {
      const folder = await readFolder(services, getKey(request));
      return reply.header('ETag', formatVersionEtag(folder.version)).send(folder);
    },
  );

  app.patch(
    '/:id',
    {
      config: { access, audit: auditAs('FOLDER_UPDATED') },
      schema: {
        operationId: 'folders.patch',
        tags: ['QR codes'],
        summary: 'Update a folder: its name or its color',
        description: 'A name that another folder has is 409 FOLDER_NAME_TAKEN.',
        params: createIdParamsSchema('id'),
        body: FolderChange,
        response: { 200: schemaRef(FolderSchema), ...createProblemResponseSchemas(409, 412) },
      },
    },
    async (request, reply) => {
      const folder = await changeFolder(
        services,
        getRequestContext(request),
        getKey(request),
        request.body,
        request.headers['if-match'],
      );
      return reply.header('ETag', formatVersionEtag(folder.version)).send(folder);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access, audit: auditAs('FOLDER_DELETED') },
      schema: {
        operationId: 'folders.delete',
        tags: ['QR codes'],
        summary: `Delete a folder; it can be restored for ${formatLifetime('deletedFolder')}`,
        description:
          'Its codes stay as they are, in no folder. `version` and `updatedAt` of the codes do not change.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const context = getRequestContext(request);
      await deleteFolder(services, context, getKey(request), request.headers['if-match']);
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/restore',
    {
      config: { access, audit: auditAs('FOLDER_RESTORED'), storesResponse: true },
      schema: {
        operationId: 'folders.restore',
        tags: ['QR codes'],
        summary: `Restore a deleted folder within ${formatLifetime('deletedFolder')}`,
        description:
          'With its codes, except those that were put into another folder since. 404 if it is too late; 409 TOO_MANY_FOLDERS or FOLDER_NAME_TAKEN if there is no room for it or its name is taken.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(FolderSchema), ...createProblemResponseSchemas(409, 412) },
      },
    },
    async (request) =>
      restoreFolder(services, getRequestContext(request), getKey(request), request.headers['if-match']),
  );
};
