import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { rejectCrossSiteForms } from '../../../platform/pages/cross-site-forms.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { MAX_PICTURE_UPLOAD_BYTES } from '../../files/index.ts';
import { type PhotoServices, readCodeOnPhoto } from './read-code-on-photo.use-case.ts';

/** For the script of browsers that cannot read a code themselves. */
export const readPhotoRoutes: FastifyPluginAsyncTypebox<PhotoServices> = async (app, services) => {
  rejectCrossSiteForms(app, services.publicBaseUrl);

  app.post(
    '/read-photo',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: skipAudit('QRCODE'),
        rateLimitClass: 'upload',
        form: { files: { photo: { maxBytes: MAX_PICTURE_UPLOAD_BYTES } } },
      },
      schema: { hide: true },
    },
    async (request, reply) => {
      const { photo } = request.formFiles;
      if (!photo) throw new ServiceError('VALIDATION_FAILED');
      const id = await readCodeOnPhoto(services, request, photo);
      return reply.header('Cache-Control', 'no-store').send({ id });
    },
  );
};
