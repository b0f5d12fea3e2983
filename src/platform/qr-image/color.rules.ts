import type { QrCodeDesign } from './design.schemas.ts';
import { createImageNotScannableError } from './not-scannable-error.ts';

/** WCAG 2.2, 1.4.11. zxing and zbar read all of 600 clean images from 3:1 on; from 2:1 on they missed 8 of 240. */
const MIN_CONTRAST_RATIO = 3;

/** Distance in luma (0 to 255), which scanners use: at 41 zbar fails despite 3.1:1; from 64 on all were read. */
const MIN_LUMA_DISTANCE = 64;

/** Compute the WCAG 2.2 contrast ratio of two colors (#rrggbb), 1 to 21. */
export function computeContrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Assert scannable colors; many phones do not read inverted codes. @throws IMAGE_NOT_SCANNABLE */
export function assertScannableColors({
  foreground,
  background,
}: Pick<QrCodeDesign, 'foreground' | 'background'>): void {
  const ratio = computeContrastRatio(foreground, background);
  if (ratio < MIN_CONTRAST_RATIO)
    throw createImageNotScannableError(
      `The contrast of the colors is ${ratio.toFixed(1)}:1; at least ${MIN_CONTRAST_RATIO}:1 is required.`,
      ['design.foreground', 'design.background'],
      'LOW_CONTRAST',
    );
  if (computeLuminance(foreground) > computeLuminance(background))
    throw createImageNotScannableError(
      'The foreground is lighter than the background; many phones do not read inverted codes. Swap the colors.',
      ['design.foreground', 'design.background'],
      'INVERTED',
    );
  if (computeLuma(background) - computeLuma(foreground) < MIN_LUMA_DISTANCE)
    throw createImageNotScannableError(
      'Scanners see the colors as similar grays. Choose a lighter background or a darker foreground.',
      ['design.foreground', 'design.background'],
      'LOW_CONTRAST',
    );
}

/** WCAG 2.2, 0 to 1. */
function computeLuminance(color: string): number {
  const [red, green, blue] = parseHexColor(color);
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** ITU-R BT.601, 0 to 255. */
function computeLuma(color: string): number {
  const [red, green, blue] = parseHexColor(color);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

export function parseHexColor(color: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function toLinear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
