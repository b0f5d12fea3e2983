/** Bytes that a piece has at least, but for the last one. */
const LEAST = 16 * 1024;

/**
 * A content in pieces of some size, however it comes: a sender can have each byte come by itself, and a hundred bytes of
 * memory would be held for each.
 */
export async function* gatherPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0);
  let filled = 0;
  for await (let piece of content) {
    if (filled > 0) {
      const taken = piece.copy(waiting, filled);
      filled += taken;
      piece = piece.subarray(taken);
      if (filled < LEAST) continue;
      yield waiting;
      filled = 0;
    }
    if (piece.length >= LEAST) yield piece;
    else if (piece.length > 0) {
      waiting = Buffer.allocUnsafeSlow(LEAST);
      filled = piece.copy(waiting);
    }
  }
  if (filled > 0) yield waiting.subarray(0, filled);
}
