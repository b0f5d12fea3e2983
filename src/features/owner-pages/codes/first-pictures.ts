import { listPicturesOfQrCodes, type PictureRow } from '../../files/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

/**
 * Find the first picture of each code, by the id of the code. Those of medical codes are shown on their own pages alone,
 * since each time that one is shown is audited.
 */
export async function findFirstPictures(
  { database }: Pick<OwnerPageServices, 'database'>,
  accountId: string,
  codes: readonly { id: string; kind: string; status: string }[],
): Promise<ReadonlyMap<string, PictureRow>> {
  const ids = codes
    .filter(({ kind, status }) => kind !== 'MEDICAL' && status !== 'DELETED')
    .map(({ id }) => id);
  const pictures = await database.read(({ client }) => listPicturesOfQrCodes(client, accountId, ids));
  const firstPictures = new Map<string, PictureRow>();
  for (const picture of pictures)
    if (picture.qrCodeId !== null && !firstPictures.has(picture.qrCodeId))
      firstPictures.set(picture.qrCodeId, picture);
  return firstPictures;
}
