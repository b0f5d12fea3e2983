import type { FileStore } from '../../../providers/files/files.port.ts';
import type { PictureUploader } from '../../files/index.ts';
import { createProfilePicture, type ProfilePicture } from './profile-picture.ts';
import { deleteProfilePicture, storeProfilePicture } from './profile-picture-files.ts';

type PictureWork<Result> = (name: string | undefined) => Promise<{ result: Result; isReferenced: boolean }>;

/** Redraw and store an upload; delete it if `work` fails or does not use it. @throws as `createProfilePicture` */
export async function runWithStoredUpload<Result>(
  files: FileStore,
  upload: Buffer | undefined,
  uploader: PictureUploader,
  work: PictureWork<Result>,
): Promise<Result> {
  const picture = upload && (await createProfilePicture(upload, uploader));
  return runWithStoredProfilePicture(files, picture, work);
}

/** Delete the stored picture if `work` fails or does not use it. */
export async function runWithStoredProfilePicture<Result>(
  files: FileStore,
  picture: ProfilePicture | undefined,
  work: PictureWork<Result>,
): Promise<Result> {
  if (!picture) return (await work(undefined)).result;
  const name = await storeProfilePicture(files, picture);
  let isReferenced = false;
  try {
    const outcome = await work(name);
    isReferenced = outcome.isReferenced;
    return outcome.result;
  } finally {
    if (!isReferenced) await deleteProfilePicture(files, name);
  }
}
