import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { RasterImage } from '../pdf/pdf-rasterizer.ts';

const WASM_PATH = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');

let isPrepared = false;

/**
 * Check by an independent decoder that an image has this content; inverted ones fail, as on many phones.
 * @param image a PNG, or pixels
 */
export async function isQrCodeDecodableAs(
  image: Uint8Array | RasterImage,
  content: string,
): Promise<boolean> {
  prepareDecoder();
  const [found] = await readBarcodes(image, {
    formats: ['QRCode'],
    maxNumberOfSymbols: 1,
    tryHarder: true,
    tryInvert: false,
    textMode: 'Plain',
  });
  return found?.isValid === true && found.text === content && Buffer.from(content).equals(found.bytes);
}

/** Read the codes on a photo, which was redrawn by the service. */
export async function readQrCodeTexts(photo: Uint8Array): Promise<string[]> {
  prepareDecoder();
  const found = await readBarcodes(photo, {
    formats: ['QRCode'],
    maxNumberOfSymbols: 4,
    tryHarder: true,
    textMode: 'Plain',
  });
  return found.filter(({ isValid }) => isValid).map(({ text }) => text);
}

/** Reads the WebAssembly from the package; the library would download it from a public host. */
function prepareDecoder(): void {
  if (isPrepared) return;
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(WASM_PATH)).buffer } });
  isPrepared = true;
}
