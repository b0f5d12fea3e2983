import type { Database } from '../../platform/database.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { removeQrCodeImage } from './image-files.ts';
import { isQrCodeImageReferenced } from './qrcode.repository.ts';

/** Check the row first: a failed COMMIT may have succeeded. Without an answer the image stays. */
export async function removeUnusedQrCodeImage(
  services: { database: Database; publicFiles: FileStore },
  imageFile: string,
): Promise<void> {
  const isUsed = await isQrCodeImageReferenced(services.database.client, imageFile).catch(() => true);
  if (!isUsed) await removeQrCodeImage(services.publicFiles, imageFile);
}
