import { processProfilePicture } from '../../files/index.ts';

export interface ProfilePicture {
  bytes: Buffer;
  extension: 'jpg' | 'png';
}

/** Multipart form of registration and profile: one picture of at most 10 MB. */
export const PROFILE_PICTURE_FORM = { files: { profilePicture: { maxBytes: 10_000_000 } } };

/**
 * Create a profile picture from an upload: rotated upright, at most 1,024 px, re-encoded, without metadata.
 * @throws what `processUpload` throws
 */
export async function createProfilePicture(upload: Buffer): Promise<ProfilePicture> {
  const { bytes, format } = await processProfilePicture('profilePicture', upload);
  return { bytes, extension: format === 'png' ? 'png' : 'jpg' };
}
