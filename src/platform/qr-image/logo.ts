import sharp, { type Sharp } from 'sharp';
import { createValidationError } from '../../shared/errors.ts';
import { MAX_LOGO_DATA_URL_CHARACTERS } from './design.schemas.ts';
import { decodeLogoDataUrl } from './logo-data-url.ts';

/** Against decompression bombs. */
const MAX_LOGO_PIXELS = 4_000_000;

const MAX_LOGO_SIDE_PIXELS = 256;

/** Even random noise of this size stays below the length limit with 256 colors. */
const PALETTE_SIDE_PIXELS = 192;

const DATA_URL_PREFIX = 'data:image/png;base64,';

/** Re-encode a logo as PNG data URL of at most 256 px, without metadata. @throws VALIDATION_FAILED */
export async function sanitizeLogo(dataUrl: string): Promise<string> {
  const source = decodeLogoDataUrl(dataUrl);
  try {
    const picture = sharp(source, { limitInputPixels: MAX_LOGO_PIXELS, failOn: 'warning' });
    const { format } = await picture.metadata();
    // The declared type is not trusted: sharp reads SVG, too, which can load other files.
    if (format !== 'png' && format !== 'jpeg') throw createInvalidLogoError();
    const upright = picture.rotate().toColourspace('srgb');
    const resized = await resizeWithin(upright, MAX_LOGO_SIDE_PIXELS).png().toBuffer();
    const url = DATA_URL_PREFIX + resized.toString('base64');
    if (url.length <= MAX_LOGO_DATA_URL_CHARACTERS) return url;
    const small = await resizeWithin(upright, PALETTE_SIDE_PIXELS).png({ palette: true }).toBuffer();
    return DATA_URL_PREFIX + small.toString('base64');
  } catch (cause) {
    throw cause instanceof Error && cause.name === 'ServiceError' ? cause : createInvalidLogoError();
  }
}

function resizeWithin(picture: Sharp, side: number): Sharp {
  return picture.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true });
}

function createInvalidLogoError() {
  return createValidationError({
    field: 'design.logo',
    code: 'INVALID_IMAGE',
    message: 'Must be a valid PNG or JPEG of at most 4 million pixels.',
  });
}
