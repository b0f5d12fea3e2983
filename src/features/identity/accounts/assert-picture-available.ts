import type { Db } from '../../../platform/database.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { isProfilePictureWithheld } from './user.repository.ts';

/** @throws NOT_FOUND */
export async function assertProfilePictureAvailable(db: Db, profilePicture: string): Promise<void> {
  if (await isProfilePictureWithheld(db, profilePicture)) throw new ServiceError('NOT_FOUND');
}
