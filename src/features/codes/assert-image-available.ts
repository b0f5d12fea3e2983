import type { Db } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isOwnerSuspended } from './qrcode.repository.ts';

/** The owner's id in a name of `createQrCodeImageFileName`: image requests are frequent, and look up a primary key. */
const OWNER_ID_PATTERN = /-([0-9a-f]{24})-\d{13}\.png$/;

/** @throws CODE_UNAVAILABLE */
export async function assertQrCodeImageAvailable(db: Db, imageFile: string): Promise<void> {
  const ownerId = OWNER_ID_PATTERN.exec(imageFile)?.[1];
  if (ownerId && (await isOwnerSuspended(db, ownerId))) throw new ServiceError('CODE_UNAVAILABLE');
}
