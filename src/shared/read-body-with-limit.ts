export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** Read a body to its end. @throws BodyTooLargeError above `maxBytes`, beyond which nothing is read */
export async function readBodyWithLimit(
  maxBytes: number,
  body: AsyncIterable<Uint8Array> | null,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels what is still to come.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLargeError('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
