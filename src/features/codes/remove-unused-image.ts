import type { Database } from '../../platform/database.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { removeImage } from './image-files.ts';
import { isImageReferenced } from './qrcode.repository.ts';

/**
 * Removes an image whose row was not stored. A commit whose answer was lost counts: the row is looked for, and while
 * the database does not answer the image stays, since a code without one is worse than a file too many.
 */
export async function removeUnusedImage(
  services: { database: Database; publicFiles: FileStore },
  imageFile: string,
): Promise<void> {
  const isUsed = await isImageReferenced(services.database.client, imageFile).catch(() => true);
  if (!isUsed) await removeImage(services.publicFiles, imageFile);
}
