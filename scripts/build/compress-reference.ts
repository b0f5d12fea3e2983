import { readFile, writeFile } from 'node:fs/promises';
import { precompress } from '../../src/platform/http/precompressed.ts';

const SOURCE = 'node_modules/@scalar/fastify-api-reference/dist/js/standalone.js';
const TARGET = 'dist/features/system/scalar.js';
const BROTLI_QUALITY = 10;

/** Write the script of the API reference into dist/, so that its package is a development dependency. */
export async function compressReference(): Promise<void> {
  const { br, gzip } = await precompress(await readFile(SOURCE), BROTLI_QUALITY);
  await Promise.all([writeFile(`${TARGET}.br`, br), writeFile(`${TARGET}.gz`, gzip)]);
}
