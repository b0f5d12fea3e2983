import type { FastifyRequest } from 'fastify';
import { consumeNetworkAttempts, type NetworkAttemptRule } from '../../../platform/network-attempts.ts';
import { enqueuePhotoReading } from '../../../platform/qr-image/enqueue-qr-drawing.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { isId } from '../../../shared/ids.ts';
import { getQrCodeScanUrl } from '../../codes/index.ts';
import { processDraftPicture } from '../../files/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

export type PhotoServices = Pick<OwnerPageServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

/** Decoding the largest takes seconds of a core. */
const PHOTO_READS_RULE: NetworkAttemptRule = {
  name: 'photo-reads',
  windowSeconds: DAY_SECONDS,
  perNetwork: 60,
  open: 1_000,
  reserve: { perNetwork: 10, perProvider: 100 },
  max: 3_000,
};

/**
 * Find the id of a code of this service on a photo; nothing is stored.
 * @throws NOT_FOUND without one, RATE_LIMITED, BUSY, and as `processDraftPicture`
 */
export async function readCodeOnPhoto(
  { database, fieldCipher, publicBaseUrl }: PhotoServices,
  { clientAddress, disconnect }: Pick<FastifyRequest, 'clientAddress' | 'disconnect'>,
  photo: Buffer,
): Promise<string> {
  const attempt = { subject: '', address: clientAddress };
  await database.transaction((tx) => consumeNetworkAttempts(tx, fieldCipher, PHOTO_READS_RULE, attempt));
  const network = `network:${truncateIpAddress(clientAddress)}`;
  const { bytes } = await processDraftPicture('photo', photo, { accountId: network, disconnect });
  const texts = await enqueuePhotoReading(network, bytes);
  const id = texts.map((text) => parseScanUrl(publicBaseUrl, text)).find((one) => one !== null);
  if (!id) throw new ServiceError('NOT_FOUND');
  return id;
}

/** Get the id of a code from its address; null for an address of another service. */
function parseScanUrl(publicBaseUrl: string, text: string): string | null {
  const prefix = getQrCodeScanUrl(publicBaseUrl, '');
  const [id] = text.slice(prefix.length).split(/[?#]/, 1);
  return text.startsWith(prefix) && isId(id) ? id : null;
}
