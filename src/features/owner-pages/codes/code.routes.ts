import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import {
  findBatchOfCode,
  getOwnQrCode,
  LOST_ITEM_REPORT,
  QR_CODE_GALLERY_PATH,
  readOwnQrCode,
} from '../../codes/index.ts';
import { findPicture, listPictures, sendDeletedPicture, sendPicture } from '../../files/index.ts';
import { findMemoryTagOfCode } from '../../memory-tags/index.ts';
import { listOwnScans } from '../../scans/index.ts';
import { getBatchesPath } from '../batches/batch-parts.ts';
import { PicturePageQuery } from '../content/pictures-section.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getMemorialPath } from '../memorials/memorial-parts.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';
import { renderOfferAfterLoss } from '../web-push/web-push-offer.ts';
import { CodeParams, DoneQuery, ONE_CODE_ACCESS, translateDone } from './code-actions.ts';
import { createCodePage } from './code-page.ts';
import { getCodeRights, getCodeTabTitle } from './code-parts.ts';
import { renderOfferedDocuments } from './offered-documents.ts';

/** Scans that the page of a code shows; its other page has all. */
const MAX_SHOWN_SCANS = 5;

/** The page of a code, and its pictures. */
export const codePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:accountId/codes/:id',
    {
      config: { access: ONE_CODE_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams, querystring: DoneQuery },
    },
    async (request, reply) => {
      const { accountId, id } = request.params;
      const user = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const code = await getOwnQrCode(database.client, request.params);
      const range = { skip: 0, take: MAX_SHOWN_SCANS, after: null };
      const [pictures, scans] = await Promise.all([
        listPictures(database.client, accountId, QR_CODE_GALLERY_PATH.toKey(id), { take: 1 }),
        listOwnScans(services, accountId, { qrCodeId: id }, { sort: '-scannedAt', range }),
      ]);
      const memorial = code.kind === 'MEMORY_TAG' && (await findMemoryTagOfCode(database.client, code));
      const batchId =
        code.status === 'UNCLAIMED' ? await findBatchOfCode(database.client, request.params) : null;
      const token = getPermittedFormToken(services, request, reply);
      const documents =
        code.kind === 'DOCUMENT' && code.status !== 'DELETED' && canUse(request, 'documents:own', 'GET')
          ? await renderOfferedDocuments(services, code, {
              canOffer: canUse(request, 'documents:own', 'POST'),
              locale,
            })
          : null;
      return sendOwnerPage(services, request, reply, {
        title: code.title,
        tabTitle: getCodeTabTitle(code, locale),
        entry: 'codes',
        body: createCodePage(services, {
          code,
          rights: getCodeRights(request, code),
          batchPath: batchId && `${getBatchesPath(services, { accountId })}/${batchId}`,
          memorialPath: memorial ? getMemorialPath(services, { accountId, id: memorial.id }) : null,
          documents,
          picture: pictures[0],
          report: LOST_ITEM_REPORT.decrypt(fieldCipher, code),
          scans: scans.rows,
          done: translateDone(locale, request.query.done),
          webPushOffer: await renderOfferAfterLoss(services, request, reply, { ...request.query, id }),
          token,
          timeZone: user.timeZone,
          locale,
        }),
      });
    },
  );

  app.get(
    '/:accountId/codes/:id/pictures/:pictureId',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('MEDICAL_DATA_READ'), rateLimitClass: 'static' },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId', 'id', 'pictureId'),
        querystring: PicturePageQuery,
      },
    },
    async (request, reply) => {
      const { accountId, id, pictureId } = request.params;
      await readOwnQrCode(database, getRequestContext(request), { accountId, id }, () => undefined);
      const key = QR_CODE_GALLERY_PATH.toKey(id);
      if (request.query.deleted) {
        if (!canUse(request, ONE_CODE_ACCESS.permission, 'POST')) throw new ServiceError('NOT_FOUND');
        return sendDeletedPicture(services, accountId, key, pictureId, request, reply);
      }
      const picture = await findPicture(database.client, accountId, key, pictureId);
      if (!picture) throw new ServiceError('NOT_FOUND');
      return sendPicture(services, { picture, w: request.query.w }, request, reply);
    },
  );
};
