import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { sendHeadersOnly } from '../../../platform/http/send-headers-only.ts';
import { CONTENT_DISPOSITION_HEADER } from '../../../platform/openapi-headers.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { findEditableMemoryTag } from '../../memory-tags/index.ts';
import { createMemorialArchive, type MemorialArchiveServices } from './memorial-archive.ts';

const ARCHIVE_RESPONSE = {
  description: 'A ZIP archive with index.html, memory-tag.json and the pictures.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
};

export const memorialArchiveRoutes: FastifyPluginAsyncTypebox<MemorialArchiveServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/:id/export',
    {
      config: { access: allowUsers('memory-tags:own'), audit: auditAs('MEMORY_TAG_EXPORTED') },
      schema: {
        operationId: 'memoryTags.export',
        tags: ['Memory tags'],
        summary: 'Export a memory tag as an offline archive',
        description:
          'Contains a page in the language of the user with embedded pictures, the original pictures, and the data as JSON. Only approved guest book entries are included.',
        params: createIdParamsSchema('id'),
        response: { 200: ARCHIVE_RESPONSE },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      const editable = await findEditableMemoryTag(database.client, requireAccount(request).id, id);
      if (!editable) throw new ServiceError('NOT_FOUND');
      if (request.method !== 'HEAD') await commitAuditEntry(database, context, { resourceId: id });
      reply
        .type('application/zip')
        .header('Content-Disposition', `attachment; filename="memory-tag-${id}.zip"`);
      if (request.method === 'HEAD') return sendHeadersOnly(reply);
      return reply.send(
        createMemorialArchive(services, context, editable.row, toSupportedLocale(user.language)),
      );
    },
  );
};
