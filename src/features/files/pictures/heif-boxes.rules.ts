/** A box of an ISO base media file, with the range of its content. */
export interface Box {
  type: string;
  from: number;
  end: number;
}

export function* readBoxes(bytes: Buffer, from: number, end: number): Generator<Box> {
  for (let at = from; at + 8 <= end; ) {
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1 && at + 16 <= end;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    const next = size === 0 ? end : Math.min(end, at + size);
    const begin = at + (isLong ? 16 : 8);
    if (next < begin) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), from: begin, end: next };
    at = next;
  }
}

export function readChildren(bytes: Buffer, { from, end }: Box): Box[] {
  return [...readBoxes(bytes, from, end)];
}
