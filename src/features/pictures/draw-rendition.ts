import type { Sharp } from 'sharp';
import { openPicture } from './decoders.ts';
import { drawInTurn } from './drawing-queue.ts';
import type { Format, Width } from './rendition.rules.ts';

/** More than a kept picture has. */
const MOST_PIXELS = 20_000_000;

const ENCODE: Readonly<Record<Format, (picture: Sharp) => Sharp>> = {
  // What was transparent is black otherwise.
  jpeg: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80, progressive: true }),
  webp: (picture) => picture.webp({ quality: 78 }),
  // The usual effort of 4 takes twelve times as long for 15 % fewer bytes, and somebody waits.
  avif: (picture) => picture.avif({ quality: 55, effort: 1 }),
};

/** Draws a picture in a width and a format, when its turn comes; the original is read no sooner. Throws BUSY when too many wait. */
export function drawRendition(
  readOriginal: () => Promise<Buffer>,
  { width, format }: { width: Width; format: Format },
): Promise<Buffer> {
  return drawInTurn('rendition', async () => {
    const picture = openPicture(await readOriginal(), MOST_PIXELS);
    return ENCODE[format](picture.resize({ width, withoutEnlargement: true })).toBuffer();
  });
}
