import sharp, { type Sharp } from 'sharp';

/** What reads the formats that are taken. */
const ALLOWED_LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadHeif',
  'VipsForeignLoadNsgif',
];

// In the whole process: no other decoder (SVG, TIFF, PDF, JPEG XL, …) runs, whatever a file would pass itself off as.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ALLOWED_LOADERS });
// Each picture is decoded once: what was kept of it would be memory alone.
sharp.cache(false);

/** Opens a picture for drawing: its first frame, upright, in the colours that every screen has, its metadata left behind. */
export function createImageDecoder(bytes: Buffer, maxPixels: number): Sharp {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
    .autoOrient()
    .toColourspace('srgb');
}

/** What the head of a picture says of it; nothing of it is decoded. */
export function readPictureMetadata(bytes: Buffer) {
  return sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 }).metadata();
}
