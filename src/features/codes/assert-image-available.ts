import type { Db } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isQrCodeImageWithheld } from './qrcode.repository.ts';

/** @throws CODE_UNAVAILABLE */
export async function assertQrCodeImageAvailable(db: Db, imageFile: string): Promise<void> {
  if (await isQrCodeImageWithheld(db, imageFile)) throw new ServiceError('CODE_UNAVAILABLE');
}
