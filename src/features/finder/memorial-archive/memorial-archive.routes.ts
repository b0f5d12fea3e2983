import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { requireUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParams } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { toLocale } from '../../../shared/i18n/choose-locale.ts';
import { findEditableTag } from '../../memory-tags/index.ts';
import { createMemorialArchive, type MemorialArchiveServices } from './memorial-archive.ts';

const ARCHIVE_RESPONSE = {
  description: 'A zip with index.html, memory-tag.json and the pictures.',
  content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
};

/** Route to export a memory tag. */
export const memorialArchiveRoutes: FastifyPluginAsyncTypebox<MemorialArchiveServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/:id/export',
    {
      exposeHeadRoute: false,
      config: { access: allowUsers('memory-tags:own'), audit: auditAs('MEMORY_TAG_EXPORTED') },
      schema: {
        operationId: 'memoryTags.export',
        tags: ['Memory tags'],
        summary: 'A memory tag as an archive that needs neither this service nor a network.',
        description:
          'A page in the language of the account that holds the pictures, the pictures as they are kept, and the data as JSON; of the guest book what was approved.',
        params: createIdParams('id'),
        response: { 200: ARCHIVE_RESPONSE },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const user = requireUser(request);
      const context = getRequestContext(request);
      const tag = await database.transaction(async (tx) => {
        const tended = await findEditableTag(tx, user.id, id);
        if (!tended) throw new ServiceError('NOT_FOUND');
        await recordAuditEntry(tx, context, { resourceId: id });
        return tended.row;
      });
      return reply
        .type('application/zip')
        .header('Content-Disposition', `attachment; filename="memory-tag-${id}.zip"`)
        .send(createMemorialArchive(services, context, tag, toLocale(user.language)));
    },
  );
};
