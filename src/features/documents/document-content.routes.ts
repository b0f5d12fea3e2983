import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited } from '../../platform/route-access.ts';
import { idParams } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { DocumentServices } from './document-services.ts';
import { findNewestVersion, findVersion } from './document-version.repository.ts';
import { ownDocument } from './read-document.ts';
import { openFileName } from './sealed-fields.ts';
import { CONTENT_ANSWERS, sendContent } from './send-content.ts';

const ContentQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Without it the newest one.' }),
  ),
  inline: Type.Boolean({ default: false, description: 'To be shown in a browser: pictures and PDF.' }),
});

/** The content of a document, for its owner. */
export const documentContentRoutes: FastifyPluginAsyncTypebox<DocumentServices> = async (app, services) => {
  const { database, vault } = services;

  app.get(
    '/:id/content',
    {
      // A HEAD shows nothing, and leaves no entry.
      exposeHeadRoute: true,
      config: { access: account('documents:own'), audit: audited('DOCUMENT_READ') },
      schema: {
        operationId: 'documents.content',
        tags: ['Documents'],
        summary: 'The content of a document, or one range of it.',
        description:
          'To be saved, unless `inline` asks for a picture or a PDF to be shown. Each reading is audited: an answer without a range is one, and ranges within five minutes are one together.',
        params: idParams('id'),
        querystring: ContentQuery,
        response: { ...CONTENT_ANSWERS, ...problems(409, 412, 416) },
      },
    },
    async (request, reply) => {
      const { id: ownerId, sessionId } = userOf(request);
      const { version: number, inline } = request.query;
      const { id } = await ownDocument(database.client, { ownerId, id: request.params.id });
      const version = await (number === undefined
        ? findNewestVersion(database.client, id)
        : findVersion(database.client, id, number));
      if (!version) throw new ServiceError('NOT_FOUND');
      const caller = callerOf(request);
      const record = () => database.transaction((tx) => recordAction(tx, caller, { resourceId: id }));
      return sendContent(services, request, reply, {
        version,
        fileName: openFileName(vault, version),
        inline,
        reading: { reader: sessionId, record },
      });
    },
  );
};
