import { Readable } from 'node:stream';
import type { FileStore } from '../../../providers/files/files.port.ts';
import { generateRandomDigits } from '../../../shared/ids.ts';
import { removeFileIfAvailable } from '../../files/index.ts';
import type { ProfilePicture } from './profile-picture.ts';

/** Where the store of public files has a picture. */
export function getProfilePicturePath(name: string): string {
  return `profile-pictures/${name}`;
}

/**
 * Stores a picture under the name that the interface gives (profile-<epoch_millis>-<random_digits>.<ext>)
 * and answers the name. It is safe when this resolves.
 */
export async function storeProfilePicture(files: FileStore, picture: ProfilePicture): Promise<string> {
  const name = `profile-${Date.now()}-${generateRandomDigits(9)}.${picture.extension}`;
  await files.put(getProfilePicturePath(name), Readable.from([picture.bytes]));
  return name;
}

/** Removes a picture that no row names any more, as `removeUnneeded` does. */
export async function deleteProfilePicture(files: FileStore, name: string): Promise<void> {
  await removeFileIfAvailable(files, getProfilePicturePath(name));
}
