import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext, type RequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findPicturesByIds, PictureQuery, sendPicture } from '../files/index.ts';
import type { FinderServices } from './finder-services.ts';
import { openGalleryByPictureTicket } from './gallery.ts';
import { createGalleryPage } from './gallery-page.ts';
import { findIdParam, getQrCodeIdParam } from './page-scope.ts';
import { consumeUnrecordedPageLimit } from './visit.ts';

const CodeParams = Type.Object({ id: Type.String() });
const PictureParams = Type.Object({ id: Type.String(), pictureId: Type.String() });
const Ticket = Type.Optional(Type.String({ maxLength: 100 }));

export const galleryPageRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  app.get(
    '/:id/pictures',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('MEDICAL_DATA_SCANNED'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: CodeParams,
        querystring: Type.Object({
          from: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
          t: Ticket,
          lang: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { from, t } = request.query;
      const codeId = getQrCodeIdParam(request.params);
      await consumeUnrecordedPageLimit(app, request, codeId);
      const gallery = await openGalleryByPictureTicket(services, getReaderContext(request), codeId, {
        ticket: t,
      });
      return sendLocalizedHtmlPage(reply, createGalleryPage(gallery, from, choosePageLocale(request)));
    },
  );

  app.get(
    '/:id/pictures/:pictureId',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('MEDICAL_DATA_SCANNED'), rateLimitClass: 'static' },
      schema: {
        hide: true,
        params: PictureParams,
        querystring: Type.Object({ ...PictureQuery.properties, t: Ticket }),
      },
    },
    async (request, reply) => {
      const { pictureId } = request.params;
      const codeId = findIdParam(request.params);
      const { accountId } = await openGalleryByPictureTicket(services, getReaderContext(request), codeId, {
        ticket: request.query.t,
        pictureId,
      });
      const [picture] = await findPicturesByIds(services.database.client, accountId, [pictureId]);
      if (!picture) throw new ServiceError('NOT_FOUND');
      reply.header('X-Robots-Tag', 'noindex');
      return sendPicture(services, { picture, w: request.query.w }, request, reply);
    },
  );
};

function getReaderContext(request: FastifyRequest): RequestContext | null {
  return request.method === 'HEAD' ? null : getRequestContext(request);
}
