import { Readable } from 'node:stream';
import type { Db } from '../../../platform/database.ts';
import type { FileStore } from '../../../providers/files/files.port.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateRandomDigits } from '../../../shared/ids.ts';
import { removeFileIfStoreAvailable } from '../../files/index.ts';
import type { ProfilePicture } from './profile-picture.ts';
import { isProfilePictureWithheld } from './user.repository.ts';

export function getProfilePicturePath(name: string): string {
  return `profile-pictures/${name}`;
}

/** Store as profile-<epoch_millis>-<random_digits>.<ext>. */
export async function storeProfilePicture(files: FileStore, picture: ProfilePicture): Promise<string> {
  const name = `profile-${Date.now()}-${generateRandomDigits(9)}.${picture.extension}`;
  await files.put(getProfilePicturePath(name), Readable.from([picture.bytes]));
  return name;
}

export async function deleteProfilePicture(files: FileStore, name: string): Promise<void> {
  await removeFileIfStoreAvailable(files, getProfilePicturePath(name));
}

/** @throws NOT_FOUND */
export async function assertProfilePictureAvailable(db: Db, profilePicture: string): Promise<void> {
  if (await isProfilePictureWithheld(db, profilePicture)) throw new ServiceError('NOT_FOUND');
}
