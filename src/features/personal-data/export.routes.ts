import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { REQUIRED_FRESH_LOGIN } from '../../platform/http/api-versions.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { CONTENT_DISPOSITION_HEADER, LOCATION_HEADER } from '../../platform/openapi-headers.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { encryptToAgeRecipient } from '../../shared/crypto/age-encryption.ts';
import { ServiceError } from '../../shared/errors.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import { requireRecentLogin } from '../identity/index.ts';
import { findDataExport, listDataExports } from './data-export.repository.ts';
import { getDataExportPath, toDataExportView } from './data-export.view.ts';
import { createDataExportArchive } from './export-archive.ts';
import { toDataExportSubject } from './export-context.ts';
import { createDataExportLimiter, releaseSlotAfterStream } from './export-limiter.ts';
import { isLargeDataExport } from './export-size.repository.ts';
import { DATA_EXPORT_QUEUE } from './make-export.job.ts';
import { DataExport, DataExportQuery, DataExportRequest } from './personal-data.schemas.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { findMissingPasswordErrors } from './reauthenticate.ts';
import {
  findDataExportRecipientErrors,
  findOrRequestDataExport,
  recordImmediateDataExport,
  validateDataExportRecipient,
} from './request-export.use-case.ts';
import { requestOwnDataExport } from './request-own-export.use-case.ts';
import { sendDataExport, setArchiveHeaders } from './send-data-export.ts';

const BINARY_CONTENT = { schema: { type: 'string', format: 'binary' } };
const ARCHIVE_RESPONSE = {
  description:
    'A zip with data.json, its JSON Schema data.schema.json, README.txt, pictures/, qrcodes/, qrcode-pictures/, documents/ and memory-tags/; encrypted as an age file if a key was sent.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: { 'application/zip': BINARY_CONTENT, 'application/octet-stream': BINARY_CONTENT },
};

const ACCEPTED_RESPONSE = {
  description: 'The export, which waits for a job.',
  headers: LOCATION_HEADER,
  content: { 'application/json': { schema: schemaRef(DataExport) } },
};

export const dataExportRoutes: FastifyPluginAsyncTypebox<PersonalDataServices> = async (app, services) => {
  const { database, publicBaseUrl } = services;
  const limiter = createDataExportLimiter(services);
  const toView = (row: Parameters<typeof toDataExportView>[1]) => toDataExportView(publicBaseUrl, row);

  app.get(
    '/export',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('DATA_EXPORTED'),
        rateLimitClass: 'auth',
        versionChanges: [REQUIRED_FRESH_LOGIN],
      },
      schema: {
        operationId: 'personalData.getExportArchive',
        tags: ['Personal data'],
        summary: 'Download an archive of all your data',
        description: `Requires a login within the last ${formatLifetime('freshSession')} (403 REAUTHENTICATION_REQUIRED). If the archive has more than 200 codes, 5,000 other rows or 8 MiB, or if others are being sent, a job creates it and the response is 202 with its address in \`Location\`. Limited to ten archives a day.`,
        querystring: DataExportQuery,
        response: {
          200: ARCHIVE_RESPONSE,
          202: ACCEPTED_RESPONSE,
          ...createProblemResponseSchemas(403, 409),
        },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      await requireRecentLogin(services.database.client, user);
      const recipient = await validateDataExportRecipient(
        services,
        user.id,
        request.query.ageRecipient,
        'ageRecipient',
      );
      const isLarge = await isLargeDataExport(services, user.id);
      if (request.method === 'HEAD')
        return sendHeadersOnly(isLarge ? reply.code(202) : setArchiveHeaders(reply, new Date(), recipient));
      const slot = isLarge ? null : await limiter.acquire(user.id);
      if (!slot) {
        const row = await findOrRequestDataExport(services, context, { userId: user.id, recipient });
        services.jobs.wake(DATA_EXPORT_QUEUE);
        return reply.code(202).header('Location', getDataExportPath(row.id)).send(toView(row));
      }
      try {
        await recordImmediateDataExport(services, context, user);
        const archive = createDataExportArchive(services, toDataExportSubject(context, user.id));
        const sent = releaseSlotAfterStream(
          slot,
          recipient ? await encryptToAgeRecipient(recipient, archive) : archive,
        );
        return setArchiveHeaders(reply, new Date(), recipient).send(sent);
      } catch (error) {
        await slot.release();
        throw error;
      }
    },
  );

  app.post(
    '/exports',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('DATA_EXPORT_REQUESTED'),
        rateLimitClass: 'auth',
        versionChanges: [REQUIRED_FRESH_LOGIN],
        findUseCaseErrors: async (body: Static<typeof DataExportRequest>, request) => [
          ...(await findMissingPasswordErrors(services, requireAuthenticatedUser(request).id, body)),
          ...(await findDataExportRecipientErrors(body.ageRecipient, 'ageRecipient')),
        ],
      },
      schema: {
        operationId: 'personalData.requestExport',
        tags: ['Personal data'],
        summary: `Request an archive of all your data, to be downloaded within ${formatLifetime('dataExport')}`,
        description: `Requires the current password, or a login within the last ${formatLifetime('freshSession')} for an account without a password (403 REAUTHENTICATION_REQUIRED). Limited to one at a time (409 EXPORT_IN_PROGRESS) and ten a day. You get an email when the archive is ready.`,
        headers: IdempotencyKeyHeader,
        body: DataExportRequest,
        response: { 201: schemaRef(DataExport), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      return prepareCreatedReply(reply, await requestOwnDataExport(services, context, user, request.body));
    },
  );

  app.get(
    '/exports',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'personalData.listExports',
        tags: ['Personal data'],
        summary: 'List your archives, newest first',
        description: `An archive is deleted after ${formatLifetime('dataExport')}, and with the account.`,
        querystring: PageQuery,
        response: { 200: createPageSchema(DataExport) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listDataExports(database.client, requireAuthenticatedUser(request).id, page);
      return toListPage(page, list, toView);
    },
  );

  app.get(
    '/exports/:id',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('USER') },
      schema: {
        operationId: 'personalData.getExport',
        tags: ['Personal data'],
        summary: 'Get the status of an archive',
        description:
          'Poll it until `status` is READY, then download `contentUrl`. Request a new one if it is FAILED.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DataExport) },
      },
    },
    async (request) => {
      const row = await findDataExport(
        database.client,
        requireAuthenticatedUser(request).id,
        request.params.id,
      );
      if (!row) throw new ServiceError('NOT_FOUND');
      return toView(row);
    },
  );

  app.get(
    '/exports/:id/content',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('DATA_EXPORT_DOWNLOADED'),
        rateLimitClass: 'auth',
        versionChanges: [REQUIRED_FRESH_LOGIN],
      },
      schema: {
        operationId: 'personalData.getExportContent',
        tags: ['Personal data'],
        summary: 'Download an archive that is ready',
        description: `Requires a login within the last ${formatLifetime('freshSession')} (403 REAUTHENTICATION_REQUIRED). If enterprise mode was enabled after the request, an archive that is not encrypted to your own key is 403 EXPORT_KEY_REQUIRED. If its file is missing the answer is 410 and the archive becomes FAILED: request a new one.`,
        params: createIdParamsSchema('id'),
        response: { 200: ARCHIVE_RESPONSE, ...createProblemResponseSchemas(403, 409, 410) },
      },
    },
    async (request, reply) => sendDataExport(services, request, reply, request.params.id),
  );
};
