import sharp, { type Sharp } from 'sharp';
import { createValidationError } from '../../../shared/errors.ts';
import { LOGO_MOST_CHARACTERS } from './design.schemas.ts';

/** A logo has no use for more, and a small file can unfold to gigabytes. */
const MOST_PIXELS = 4_000_000;

const MOST_SIDE = 256;

/** With 256 colours, even noise of this side stays below the longest data URL. */
const PALETTE_SIDE = 192;

const PREFIX = 'data:image/png;base64,';

/**
 * Decodes a logo and writes it again: a PNG of 256 px at most, without metadata or anything behind the picture,
 * as data URL. Throws VALIDATION_FAILED for `design.logo` where it is no PNG or JPEG, broken or too large.
 */
export async function cleanLogo(dataUrl: string): Promise<string> {
  const source = logoBytes(dataUrl);
  try {
    const picture = sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'warning' });
    const { format } = await picture.metadata();
    // What the data URL says is believed by nobody: sharp reads SVG too, which can load other files.
    if (format !== 'png' && format !== 'jpeg') throw notAPicture();
    const upright = picture.rotate().toColourspace('srgb');
    const whole = await within(upright, MOST_SIDE).png().toBuffer();
    const url = PREFIX + whole.toString('base64');
    if (url.length <= LOGO_MOST_CHARACTERS) return url;
    const small = await within(upright, PALETTE_SIDE).png({ palette: true }).toBuffer();
    return PREFIX + small.toString('base64');
  } catch (cause) {
    throw cause instanceof Error && cause.name === 'ServiceError' ? cause : notAPicture();
  }
}

/** The bytes of a picture in a data URL. */
export function logoBytes(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
}

function within(picture: Sharp, side: number): Sharp {
  return picture.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true });
}

function notAPicture() {
  return createValidationError({
    field: 'design.logo',
    code: 'INVALID_IMAGE',
    message: 'Must be an undamaged PNG or JPEG of at most 4 million pixels.',
  });
}
