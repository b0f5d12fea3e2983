import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const WASM_PATH = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');

let isPrepared = false;

/**
 * Whether an image file (PNG) reads as exactly this content, byte for byte, by a decoder that has nothing in common with
 * the encoder. It does not try an inverted image, since many phones do not either.
 */
export async function isDecodableAs(image: Uint8Array, content: string): Promise<boolean> {
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

/** The WebAssembly is read from the package: without this the library would fetch it from a public host. */
function prepareDecoder(): void {
  if (isPrepared) return;
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(WASM_PATH)).buffer } });
  isPrepared = true;
}
