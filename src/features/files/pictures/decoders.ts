import sharp, { type Sharp } from 'sharp';

const ALLOWED_LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadHeif',
  'VipsForeignLoadNsgif',
];

// For the whole process: no other decoder (SVG, TIFF, PDF, JPEG XL, …) runs, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ALLOWED_LOADERS });
// Each picture is decoded once, so a cache only costs memory.
sharp.cache(false);

/** Create a decoder of the first frame, rotated upright, in sRGB, without metadata. */
export function createImageDecoder(bytes: Buffer, maxPixels: number): Sharp {
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
    .autoOrient()
    .toColourspace('srgb');
}

/** Read the header of a picture without decoding pixels. */
export function readPictureMetadata(bytes: Buffer) {
  return sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 }).metadata();
}
