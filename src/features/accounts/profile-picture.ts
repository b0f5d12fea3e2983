import { within } from '../pictures/original.ts';
import { type PictureRules, takePicture } from '../pictures/take-picture.ts';

/** A picture made by us, ready to be stored. */
export interface ProfilePicture {
  bytes: Buffer;
  extension: 'jpg' | 'png';
}

/** The form that registration and profile take besides JSON: one picture of at most 10 MB. */
export const PICTURE_FORM = { files: { profilePicture: { maxBytes: 10_000_000 } } };

const TAKEN: PictureRules = { field: 'profilePicture', types: ['jpeg', 'png'], mostPixels: 40_000_000 };
const MAX_EDGE = 1_024;

/**
 * Makes a profile picture of an upload: turned upright, cut down to 1,024 pixels at most, written anew in its format, so
 * that nothing of the sent bytes remains. Throws what `takePicture` throws.
 */
export function makeProfilePicture(upload: Buffer): Promise<ProfilePicture> {
  return takePicture(upload, TAKEN, async (picture, { format }) => {
    const drawn = within(picture, MAX_EDGE);
    return format === 'jpeg'
      ? { bytes: await drawn.jpeg({ quality: 85 }).toBuffer(), extension: 'jpg' }
      : { bytes: await drawn.png().toBuffer(), extension: 'png' };
  });
}
