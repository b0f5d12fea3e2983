import { buffer } from 'node:stream/consumers';
import type { Database } from '../../platform/database.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { getQrCodeImagePath } from './image-files.ts';
import { getQrCodeScanUrl } from './qrcode.view.ts';
import { listOldestAndNewestDynamicQrCodes } from './qrcode-image.repository.ts';

/** The oldest and newest codes: an interrupted `images:rebuild` leaves the newest ones. */
const SAMPLE_SIZE = 5;

/** Check in a sample whether images of codes lead to another base URL; only the images themselves contain it. */
export async function hasOutdatedQrCodeImages({
  database,
  publicBaseUrl,
  publicFiles,
}: {
  database: Database;
  publicBaseUrl: string;
  publicFiles: FileStore;
}): Promise<boolean> {
  // Only a start with --lan needs the decoder in this process.
  const { isQrCodeDecodableAs } = await import('../../platform/qr-image/decode-image.ts');
  for (const { id, imageFile } of await listOldestAndNewestDynamicQrCodes(database.client, SAMPLE_SIZE)) {
    const file = imageFile && (await publicFiles.open(getQrCodeImagePath(imageFile)));
    if (file && !(await isQrCodeDecodableAs(await buffer(file), getQrCodeScanUrl(publicBaseUrl, id))))
      return true;
  }
  return false;
}
