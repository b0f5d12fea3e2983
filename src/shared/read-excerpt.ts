import type { Readable } from 'node:stream';

/**
 * Read the first bytes of a stream and end it, also one that never ends or sends slowly. What arrived before an error or
 * `maxWaitMs` is the result: this never throws.
 */
export async function readExcerpt(
  stream: Readable,
  { maxBytes, maxWaitMs }: { maxBytes: number; maxWaitMs: number },
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  stream.on('error', () => undefined);
  const timer = setTimeout(() => stream.destroy(), maxWaitMs);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // The other side ended early, or was too slow.
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
