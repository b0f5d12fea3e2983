import sharp, { type Sharp } from 'sharp';
import { createValidationError } from '../../shared/errors.ts';
import { MAX_LOGO_CHARACTERS } from './design.schemas.ts';

/** A logo has no use for more, and a small file can unfold to gigabytes. */
const MAX_LOGO_PIXELS = 4_000_000;

const MAX_LOGO_SIDE_PIXELS = 256;

/** With 256 colours, even noise of this side stays below the longest data URL. */
const PALETTE_SIDE_PIXELS = 192;

const DATA_URL_PREFIX = 'data:image/png;base64,';

/**
 * Decodes a logo and writes it again: a PNG of 256 px at most, without metadata or anything behind the picture,
 * as data URL. Throws VALIDATION_FAILED for `design.logo` where it is no PNG or JPEG, broken or too large.
 */
export async function sanitizeLogo(dataUrl: string): Promise<string> {
  const source = decodeLogo(dataUrl);
  try {
    const picture = sharp(source, { limitInputPixels: MAX_LOGO_PIXELS, failOn: 'warning' });
    const { format } = await picture.metadata();
    // What the data URL says is believed by nobody: sharp reads SVG too, which can load other files.
    if (format !== 'png' && format !== 'jpeg') throw createInvalidLogoError();
    const upright = picture.rotate().toColourspace('srgb');
    const whole = await resizeWithin(upright, MAX_LOGO_SIDE_PIXELS).png().toBuffer();
    const url = DATA_URL_PREFIX + whole.toString('base64');
    if (url.length <= MAX_LOGO_CHARACTERS) return url;
    const small = await resizeWithin(upright, PALETTE_SIDE_PIXELS).png({ palette: true }).toBuffer();
    return DATA_URL_PREFIX + small.toString('base64');
  } catch (cause) {
    throw cause instanceof Error && cause.name === 'ServiceError' ? cause : createInvalidLogoError();
  }
}

/** The bytes of a picture in a data URL. */
export function decodeLogo(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
}

function resizeWithin(picture: Sharp, side: number): Sharp {
  return picture.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true });
}

function createInvalidLogoError() {
  return createValidationError({
    field: 'design.logo',
    code: 'INVALID_IMAGE',
    message: 'Must be an undamaged PNG or JPEG of at most 4 million pixels.',
  });
}
