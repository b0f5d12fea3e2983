import { processProfilePicture } from '../../files/index.ts';

/** A picture made by us, ready to be stored. */
export interface ProfilePicture {
  bytes: Buffer;
  extension: 'jpg' | 'png';
}

/** The form that registration and profile take besides JSON: one picture of at most 10 MB. */
export const PROFILE_PICTURE_FORM = { files: { profilePicture: { maxBytes: 10_000_000 } } };

/**
 * Makes a profile picture of an upload: turned upright, cut down to 1,024 pixels at most, written anew in its format, so
 * that nothing of the sent bytes remains. Throws what `takeProfilePicture` throws.
 */
export async function createProfilePicture(upload: Buffer): Promise<ProfilePicture> {
  const { bytes, format } = await processProfilePicture('profilePicture', upload);
  return { bytes, extension: format === 'png' ? 'png' : 'jpg' };
}
