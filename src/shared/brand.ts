import { computeContrastRatio, parseHexColor } from './color-contrast.ts';
import { readBoundedFile } from './read-bounded-file.ts';

/** How the operator presents the service on pages and in mails. */
export interface Brand {
  name: string;
  /** Accent color (#rrggbb), readable on and below white. */
  color: string;
  logo: BrandLogo | null;
  imprintUrl: string | undefined;
  privacyUrl: string | undefined;
  abuseUrl: string | undefined;
}

export interface BrandLogo {
  bytes: Buffer;
  contentType: 'image/png' | 'image/webp' | 'image/svg+xml';
}

export const BRAND_LOGO_PATH = '/brand/logo';

/** WCAG 2.2, 1.4.3. */
export const MIN_TEXT_CONTRAST = 4.5;

const MAX_LOGO_BYTES = 100_000;
const DARK_PAGE_COLOR = '#161616';
const MIN_DARK_CONTRAST = 7;

/** Read a logo file. @throws if it cannot be read, is too large, or is neither SVG, PNG nor WebP */
export function readBrandLogo(path: string): BrandLogo {
  const bytes = readFile(path);
  const contentType = bytes && findLogoType(bytes);
  if (!contentType) throw new Error('must name an SVG, PNG or WebP file of up to 100 kB.');
  return { bytes, contentType };
}

/** Lighten the accent color until it is readable on dark pages, and below dark text. */
export function computeDarkBrandColor(color: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const lighter = mixWithWhite(color, share);
    if (computeContrastRatio(lighter, DARK_PAGE_COLOR) >= MIN_DARK_CONTRAST) return lighter;
  }
  return '#ffffff';
}

/** Darken a color until white text on it is readable. */
export function computeReadableColor(color: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const darker = toHexColor(parseHexColor(color).map((channel) => Math.round(channel * (1 - share))));
    if (computeContrastRatio(darker, '#ffffff') >= MIN_TEXT_CONTRAST) return darker;
  }
  return '#000000';
}

function readFile(path: string): Buffer | null {
  try {
    return readBoundedFile(path, MAX_LOGO_BYTES);
  } catch {
    throw new Error('cannot be read.');
  }
}

function findLogoType(bytes: Buffer): BrandLogo['contentType'] | null {
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
    bytes.subarray(8, 12).toString('latin1') === 'WEBP'
  )
    return 'image/webp';
  const start = bytes.subarray(0, 1_000).toString('utf8');
  return /^\uFEFF?\s{0,100}<(?:\?xml|!--|svg[\s>])/.test(start) && bytes.includes('<svg')
    ? 'image/svg+xml'
    : null;
}

function mixWithWhite(color: string, share: number): string {
  return toHexColor(parseHexColor(color).map((channel) => Math.round(channel + (255 - channel) * share)));
}

function toHexColor(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
