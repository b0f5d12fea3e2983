import type { Db } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isQrCodeImageWithheld } from './qrcode.repository.ts';

/** The owner's id in a name of `createQrCodeImageFileName`: a replaced file has no row any more. */
const OWNER_ID_PATTERN = /-([0-9a-f]{24})-\d{13}\.png$/;

/** @throws CODE_UNAVAILABLE */
export async function assertQrCodeImageAvailable(db: Db, imageFile: string): Promise<void> {
  const ownerId = OWNER_ID_PATTERN.exec(imageFile)?.[1] ?? null;
  if (await isQrCodeImageWithheld(db, imageFile, ownerId)) throw new ServiceError('CODE_UNAVAILABLE');
}
