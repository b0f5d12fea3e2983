import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { account, audited } from '../../platform/route-access.ts';
import { idParams } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { tendedTag } from './may-tend.ts';
import { type MemorialArchiveServices, memorialArchive } from './memorial-archive.ts';

const ARCHIVE = {
  description: 'A zip with index.html, memory-tag.json and the pictures.',
  content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
};

/** A memory tag to take along. */
export const memorialArchiveRoutes: FastifyPluginAsyncTypebox<MemorialArchiveServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/:id/export',
    {
      exposeHeadRoute: false,
      config: { access: account('memory-tags:own'), audit: audited('MEMORY_TAG_EXPORTED') },
      schema: {
        operationId: 'memoryTags.export',
        tags: ['Memory tags'],
        summary: 'A memory tag as an archive that needs neither this service nor a network.',
        description:
          'A page in the language of the account that holds the pictures, the pictures as they are kept, and the data as JSON; of the guest book what was approved.',
        params: idParams('id'),
        response: { 200: ARCHIVE },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const user = userOf(request);
      const caller = callerOf(request);
      const tag = await database.transaction(async (tx) => {
        const tended = await tendedTag(tx, user.id, id);
        if (!tended) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, caller, { resourceId: id });
        return tended.row;
      });
      return reply
        .type('application/zip')
        .header('Content-Disposition', `attachment; filename="memory-tag-${id}.zip"`)
        .send(memorialArchive(services, caller, tag, toLocale(user.language)));
    },
  );
};
