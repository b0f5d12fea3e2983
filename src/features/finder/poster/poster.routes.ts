import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { CONTENT_DISPOSITION_HEADER } from '../../../platform/openapi-headers.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema, stringEnum } from '../../../shared/common.schemas.ts';
import type { FinderServices } from '../finder-services.ts';
import { POSTER_PAPERS } from './poster-document.ts';
import type { PosterDrawer } from './poster-drawer.ts';
import { readOwnPoster } from './read-poster.ts';

export const PosterQuery = Type.Object({
  paper: stringEnum(POSTER_PAPERS, { default: 'A4', description: 'Size of the page.' }),
  tearOffs: Type.Boolean({
    default: true,
    description: 'Eight strips with the code along the lower edge, to tear off.',
  }),
});

const POSTER_RESPONSE = {
  description: 'A PDF of one page.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
};

export const posterRoutes: FastifyPluginAsyncTypebox<FinderServices & { posters: PosterDrawer }> = async (
  app,
  services,
) => {
  const { posters } = services;
  app.addHook('onClose', () => posters.close());

  app.get(
    '/:id/poster',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('MEDICAL_DATA_READ') },
      schema: {
        operationId: 'qrcodes.getPoster',
        tags: ['QR codes'],
        summary: 'Download a poster of a lost item as PDF',
        description:
          'With the lost notice, the name and a code that finders scan; for a PET, LUGGAGE or CAR also the first public picture and the appearance. Fields behind a PIN, private fields and health data are never on it. In the language of the profile. 409 POSTER_UNAVAILABLE unless the code is DYNAMIC and reported as lost.',
        params: createIdParamsSchema('id'),
        querystring: PosterQuery,
        response: { 200: POSTER_RESPONSE, ...createProblemResponseSchemas(409, 429, 503) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const { language } = requireAuthenticatedUser(request);
      const owned = { accountId, id: request.params.id };
      const options = { ...request.query, language };
      const poster = await posters.draw(owned.accountId, () =>
        readOwnPoster(services, getRequestContext(request), owned, options),
      );
      return sendPoster(reply, poster, 'inline');
    },
  );
};

/** Send a poster, to show or to save. */
export function sendPoster(
  reply: FastifyReply,
  { pdf, slug }: { pdf: Buffer; slug: string },
  disposition: 'inline' | 'attachment',
): FastifyReply {
  return reply
    .type('application/pdf')
    .header('Content-Disposition', `${disposition}; filename="${slug}-poster.pdf"`)
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('Cache-Control', 'no-store')
    .send(pdf);
}
