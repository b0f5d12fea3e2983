import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const WASM = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');

let isPrepared = false;

/**
 * Whether an image file (PNG) reads as exactly this content, byte for byte, by a decoder that has nothing in common with
 * the encoder. It does not try an inverted image, since many phones do not either.
 */
export async function readsAs(image: Uint8Array, content: string): Promise<boolean> {
  prepare();
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
function prepare(): void {
  if (isPrepared) return;
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(WASM)).buffer } });
  isPrepared = true;
}
