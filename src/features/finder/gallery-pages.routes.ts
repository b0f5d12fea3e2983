import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findPicturesByIds, PictureQuery, sendPicture } from '../files/index.ts';
import type { FinderServices } from './finder-services.ts';
import { getGalleryByPictureTicket } from './gallery.ts';
import { createGalleryPage } from './gallery-page.ts';
import { findIdParam } from './page-scope.ts';

const CodeParams = Type.Object({ id: Type.String() });
const PictureParams = Type.Object({ id: Type.String(), pictureId: Type.String() });
const Ticket = Type.Optional(Type.String({ maxLength: 100 }));

export const galleryPageRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  app.get(
    '/:id/pictures',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('MEMORY_TAG'), rateLimitClass: 'page' },
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
      const gallery = await getGalleryByPictureTicket(services, findIdParam(request.params), t);
      return sendLocalizedHtmlPage(reply, createGalleryPage(gallery, from, choosePageLocale(request)));
    },
  );

  app.get(
    '/:id/pictures/:pictureId',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('MEMORY_TAG'), rateLimitClass: 'static' },
      schema: {
        hide: true,
        params: PictureParams,
        querystring: Type.Object({ ...PictureQuery.properties, t: Ticket }),
      },
    },
    async (request, reply) => {
      const { pictures } = await getGalleryByPictureTicket(
        services,
        findIdParam(request.params),
        request.query.t,
      );
      const visible = pictures.find(({ id }) => id === request.params.pictureId);
      const [picture] = visible ? await findPicturesByIds(services.database.client, [visible.id]) : [];
      if (!picture) throw new ServiceError('NOT_FOUND');
      reply.header('X-Robots-Tag', 'noindex');
      return sendPicture(services, { picture, w: request.query.w }, request, reply);
    },
  );
};
