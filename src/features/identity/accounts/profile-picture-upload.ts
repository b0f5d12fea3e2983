import type { FileStore } from '../../../providers/files/files.port.ts';
import { createProfilePicture } from './profile-picture.ts';
import { deleteProfilePicture, storeProfilePicture } from './profile-picture-files.ts';

/**
 * Stores the picture of a form, if there is one, for `work`, which gets the name of its file. The file is removed
 * again when that fails, or answers that nothing names it. Throws what `makeProfilePicture` throws.
 */
export async function runWithStoredProfilePicture<Result>(
  files: FileStore,
  upload: Buffer | undefined,
  work: (name: string | undefined) => Promise<{ result: Result; isReferenced: boolean }>,
): Promise<Result> {
  if (!upload) return (await work(undefined)).result;
  const name = await storeProfilePicture(files, await createProfilePicture(upload));
  let isReferenced = false;
  try {
    const done = await work(name);
    isReferenced = done.isReferenced;
    return done.result;
  } finally {
    if (!isReferenced) await deleteProfilePicture(files, name);
  }
}
