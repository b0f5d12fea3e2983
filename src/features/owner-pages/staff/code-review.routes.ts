import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { sendLocalizedHtmlPage } from '../../../platform/pages/page-frame.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { findPicturesByIds, PictureQuery, sendPicture } from '../../files/index.ts';
import { createReviewPage, hasReviewPicture } from '../../finder/index.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  getReviewedCode,
  getReviewPath,
  hasReviewPage,
  MODERATION_ACCESS,
  type ReviewedCode,
} from './reviewed-code.ts';

/** The page of a code that was reported or taken down, for the frame beside a decision. */
export const codeReviewStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/staff/codes/:id/page',
    {
      config: { access: MODERATION_ACCESS, audit: auditAs('QRCODE_PAGE_REVIEWED'), rateLimitClass: 'page' },
      schema: { hide: true, params: createIdParamsSchema('id') },
    },
    async (request, reply) => {
      const { id } = request.params;
      const code = await getCodeWithPage(id);
      await commitAuditEntry(database, getRequestContext(request), { resourceId: id });
      const pictures = `${getReviewPath(services, id)}/pictures`;
      const page = await createReviewPage(services, code, pictures, chooseOwnerPageLocale(request));
      return sendLocalizedHtmlPage(reply, page);
    },
  );

  app.get(
    '/staff/codes/:id/pictures/:pictureId',
    {
      config: { access: MODERATION_ACCESS, audit: auditAs('QRCODE_PAGE_REVIEWED'), rateLimitClass: 'static' },
      schema: {
        hide: true,
        params: createIdParamsSchema('id', 'pictureId'),
        // Pictures behind a PIN have a ticket in their address; the page has none of them.
        querystring: Type.Object({ ...PictureQuery.properties, t: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      const code = await getCodeWithPage(id);
      const [picture] = await findPicturesByIds(database.client, code.accountId, [pictureId]);
      if (!picture || !(await hasReviewPicture(services, code, pictureId)))
        throw new ServiceError('NOT_FOUND');
      if (request.method !== 'HEAD')
        await commitAuditEntry(database, getRequestContext(request), { resourceId: id });
      return sendPicture(services, { picture, w: request.query.w }, request, reply);
    },
  );

  async function getCodeWithPage(id: string): Promise<ReviewedCode> {
    const code = await getReviewedCode(services, id);
    if (!hasReviewPage(code)) throw new ServiceError('NOT_FOUND');
    return code;
  }
};
