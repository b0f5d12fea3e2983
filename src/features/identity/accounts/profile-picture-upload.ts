import type { FileStore } from '../../../providers/files/files.port.ts';
import type { PictureUploader } from '../../files/index.ts';
import { createProfilePicture } from './profile-picture.ts';
import { deleteProfilePicture, storeProfilePicture } from './profile-picture-files.ts';

/** Delete the stored picture if `work` fails or does not use it. @throws as `createProfilePicture` */
export async function runWithStoredProfilePicture<Result>(
  files: FileStore,
  upload: Buffer | undefined,
  uploader: PictureUploader,
  work: (name: string | undefined) => Promise<{ result: Result; isReferenced: boolean }>,
): Promise<Result> {
  if (!upload) return (await work(undefined)).result;
  const name = await storeProfilePicture(files, await createProfilePicture(upload, uploader));
  let isReferenced = false;
  try {
    const outcome = await work(name);
    isReferenced = outcome.isReferenced;
    return outcome.result;
  } finally {
    if (!isReferenced) await deleteProfilePicture(files, name);
  }
}
