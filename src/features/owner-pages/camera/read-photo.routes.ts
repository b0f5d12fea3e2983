import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { consumeNetworkAttempts, type NetworkAttemptRule } from '../../../platform/network-attempts.ts';
import { rejectCrossSiteForms } from '../../../platform/pages/cross-site-forms.ts';
import { enqueuePhotoReading } from '../../../platform/qr-image/enqueue-qr-drawing.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { isId } from '../../../shared/ids.ts';
import { getQrCodeScanUrl } from '../../codes/index.ts';
import { MAX_PICTURE_UPLOAD_BYTES, processDraftPicture } from '../../files/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

type Services = Pick<OwnerPageServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

/** Decoding the largest takes seconds of a core. */
const PHOTO_READS_RULE: NetworkAttemptRule = {
  name: 'photo-reads',
  windowSeconds: DAY_SECONDS,
  perNetwork: 60,
  open: 1_000,
  reserve: { perNetwork: 10, perProvider: 100 },
  max: 3_000,
};

/** Find the code of this service on a photo, for the script of browsers that cannot; nothing is stored. */
export const readPhotoRoutes: FastifyPluginAsyncTypebox<Services> = async (app, services) => {
  const { database, fieldCipher, publicBaseUrl } = services;
  rejectCrossSiteForms(app, publicBaseUrl);

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
      const attempt = { subject: '', address: request.clientAddress };
      await database.transaction((tx) => consumeNetworkAttempts(tx, fieldCipher, PHOTO_READS_RULE, attempt));
      const network = `network:${truncateIpAddress(request.clientAddress)}`;
      const { disconnect } = request;
      const { bytes } = await processDraftPicture('photo', photo, { accountId: network, disconnect });
      const texts = await enqueuePhotoReading(network, bytes);
      const id = texts.map((text) => parseScanUrl(publicBaseUrl, text)).find((one) => one !== null);
      if (!id) throw new ServiceError('NOT_FOUND');
      return reply.header('Cache-Control', 'no-store').send({ id });
    },
  );
};

/** Get the id of a code from its address; null for an address of another service. */
function parseScanUrl(publicBaseUrl: string, text: string): string | null {
  const prefix = getQrCodeScanUrl(publicBaseUrl, '');
  const [id] = text.slice(prefix.length).split(/[?#]/, 1);
  return text.startsWith(prefix) && isId(id) ? id : null;
}
