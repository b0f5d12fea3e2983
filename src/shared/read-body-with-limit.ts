/** The whole of a body of at most so many bytes. Throws an Error for a larger one, and reads no more of it. */
export async function readBodyWithLimit(
  maxBytes: number,
  body: AsyncIterable<Uint8Array> | null,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels what is still to come.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
