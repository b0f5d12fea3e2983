import type { Database } from '../../platform/database.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { removeImage } from './image-files.ts';
import { isImageReferenced } from './qrcode.repository.ts';

/** Check the row first: a failed COMMIT may have succeeded. Without an answer the image stays. */
export async function removeUnusedImage(
  services: { database: Database; publicFiles: FileStore },
  imageFile: string,
): Promise<void> {
  const isUsed = await isImageReferenced(services.database.client, imageFile).catch(() => true);
  if (!isUsed) await removeImage(services.publicFiles, imageFile);
}
