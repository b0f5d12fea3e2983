import { Readable } from 'node:stream';
import type { FileStore } from '../../../providers/files/files.port.ts';
import { generateRandomDigits } from '../../../shared/ids.ts';
import { removeFileIfStoreAvailable } from '../../files/index.ts';
import type { ProfilePicture } from './profile-picture.ts';

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
