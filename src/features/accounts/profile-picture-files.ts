import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomDigits } from '../../shared/ids.ts';
import type { ProfilePicture } from './profile-picture.ts';

/**
 * Stores a picture under the name that the interface gives (profile-<epoch_millis>-<random_digits>.<ext>)
 * and answers the name. It is on the disk when this resolves.
 */
export async function storeProfilePicture(folder: string, picture: ProfilePicture): Promise<string> {
  const name = `profile-${Date.now()}-${randomDigits(9)}.${picture.extension}`;
  const file = await open(join(folder, name), 'wx', 0o644);
  try {
    await file.writeFile(picture.bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  return name;
}

/** Removes a picture that no row names any more; nothing happens when it is gone already. */
export async function removeProfilePicture(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}
