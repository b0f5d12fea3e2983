const MIN_CHUNK_BYTES = 16 * 1024;

/** Merge small chunks, each of which would take a hundred bytes of memory. */
export async function* coalesceChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let buffer: Buffer = Buffer.alloc(0);
  let filled = 0;
  for await (let chunk of content) {
    if (filled > 0) {
      const copied = chunk.copy(buffer, filled);
      filled += copied;
      chunk = chunk.subarray(copied);
      if (filled < MIN_CHUNK_BYTES) continue;
      yield buffer;
      filled = 0;
    }
    if (chunk.length >= MIN_CHUNK_BYTES) yield chunk;
    else if (chunk.length > 0) {
      buffer = Buffer.allocUnsafeSlow(MIN_CHUNK_BYTES);
      filled = chunk.copy(buffer);
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}
