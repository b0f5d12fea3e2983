import { readBarcodes } from 'zxing-wasm/reader';
import type { RasterImage } from '../../../src/platform/pdf/pdf-rasterizer.ts';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';

/** Decode up to `max` symbols of an image, whatever they encode. */
export async function decodeQrCodes(image: RasterImage, max: number): Promise<string[]> {
  // Prepares the decoder.
  await isQrCodeDecodableAs({ width: 1, height: 1, data: new Uint8ClampedArray(4) }, '');
  // The library reads any object with these three members; its type is of browsers.
  const found = await readBarcodes(image as Parameters<typeof readBarcodes>[0], {
    formats: ['QRCode'],
    maxNumberOfSymbols: max,
    tryHarder: true,
    tryInvert: false,
  });
  return found.filter(({ isValid }) => isValid).map(({ text }) => text);
}
