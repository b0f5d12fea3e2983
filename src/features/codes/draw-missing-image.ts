import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { FileExistsError, type FileStore } from '../../providers/files/files.port.ts';
import { rethrowAsBusy } from '../../shared/fair-limiter.ts';
import { createSingleFlight } from '../../shared/memoize.ts';
import { drawQrCode, getQrCodeRowPayload } from './draw-qrcode.ts';
import { getQrCodeImagePath, removeQrCodeImage } from './image-files.ts';
import type { QrCodeRow } from './qrcode.repository.ts';
import { getQrCodeDesign } from './qrcode.view.ts';
import { findQrCodeByImage, isQrCodeImageReferenced, updateQrCodeImage } from './qrcode-image.repository.ts';

export interface QrCodeImageServices {
  database: Database;
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
  publicFiles: FileStore;
}

const drawOnce = createSingleFlight<boolean>();

/**
 * Draw and store the image that a code names but that is not stored. False when no code names it.
 * @throws BUSY, DATA_INTEGRITY, PROVIDER_UNAVAILABLE
 */
export function drawMissingQrCodeImage(services: QrCodeImageServices, imageFile: string): Promise<boolean> {
  return drawOnce(imageFile, async () => {
    const row = await findQrCodeByImage(services.database.client, imageFile);
    return row !== null && drawAndStore(services, { ...row, imageFile });
  });
}

/** Open the image of a code, drawn now if it is not stored. Null when no code names it. @throws as `drawMissingQrCodeImage` */
export async function openQrCodeImage(
  services: QrCodeImageServices,
  imageFile: string,
): Promise<Readable | null> {
  const path = getQrCodeImagePath(imageFile);
  const stored = await services.publicFiles.open(path);
  if (stored || !(await drawMissingQrCodeImage(services, imageFile))) return stored;
  return services.publicFiles.open(path);
}

async function drawAndStore(
  services: QrCodeImageServices,
  row: QrCodeRow & { imageFile: string },
): Promise<boolean> {
  const { database, publicFiles } = services;
  const { png, design, logo: _sameLogo } = await drawForOwner(services, row);
  try {
    await publicFiles.put(getQrCodeImagePath(row.imageFile), Readable.from([png]));
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof FileExistsError)) throw error;
  }
  const isReferenced = isDeepStrictEqual(design, row.design)
    ? await isQrCodeImageReferenced(database.client, row)
    : await updateQrCodeImage(database.client, row, { imageFile: row.imageFile, design });
  // The code was deleted or redesigned meanwhile, and its file may have been removed before this one was stored.
  if (!isReferenced) await removeQrCodeImage(publicFiles, row.imageFile);
  return isReferenced;
}

/** Whoever asks for an image is somebody else than its owner, of whom too many may wait. */
function drawForOwner(services: QrCodeImageServices, row: QrCodeRow) {
  return drawQrCode(row.accountId, getQrCodeRowPayload(services, row), getQrCodeDesign(row)).catch(
    rethrowAsBusy,
  );
}
