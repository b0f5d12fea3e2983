import { type PictureUploader, processProfilePicture } from '../../files/index.ts';

export interface ProfilePicture {
  bytes: Buffer;
  extension: 'jpg' | 'png';
}

export const PROFILE_PICTURE_FORM = { files: { profilePicture: { maxBytes: 10_000_000 } } };

/** Rotate upright, limit to 1,024 px and re-encode without metadata. @throws as `processUpload` */
export async function createProfilePicture(
  upload: Buffer,
  uploader?: PictureUploader,
): Promise<ProfilePicture> {
  const { bytes, format } = await processProfilePicture('profilePicture', upload, uploader);
  return { bytes, extension: format === 'png' ? 'png' : 'jpg' };
}
