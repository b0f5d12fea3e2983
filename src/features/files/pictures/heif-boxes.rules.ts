/** A box of an ISO base media file, with the range of its content. */
export interface Box {
  type: string;
  from: number;
  end: number;
}

/** Read the boxes of a range; stop at the first invalid one. */
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

/** Find the boxes of a type within others. */
export function findChildren(bytes: Buffer, parents: readonly Box[], type: string): Box[] {
  return parents.flatMap((parent) => readChildren(bytes, parent)).filter((box) => box.type === type);
}

function readChildren(bytes: Buffer, { from, end }: Box): Box[] {
  return [...readBoxes(bytes, from, end)];
}

/** Read the top-level `meta` boxes without their version and flags. */
export function readMetaBoxes(file: Buffer): Box[] {
  return [...readBoxes(file, 0, file.length)]
    .filter(({ type }) => type === 'meta')
    .map((box) => ({ ...box, from: box.from + 4 }));
}

/** Read the item properties of a `meta` box in their order, by which items refer to them. */
export function readItemProperties(file: Buffer, meta: Box): Box[] {
  const containers = findChildren(file, findChildren(file, [meta], 'iprp'), 'ipco');
  return containers.flatMap((container) => readChildren(file, container));
}

/** Read the properties of items, numbered from 1; a box that goes on behind its end is read up to there. */
export function* readAssociations(
  bytes: Buffer,
  { from, end }: Box,
): Generator<{ item: number; property: number }> {
  const head = bytes.readUInt32BE(from);
  const [itemBytes, isWide] = [head >>> 24 === 0 ? 2 : 4, (head & 1) === 1];
  let at = from + 8;
  for (let left = bytes.readUInt32BE(from + 4); left > 0 && at < end; left -= 1) {
    const item = bytes.readUIntBE(at, itemBytes);
    const count = bytes.readUInt8(at + itemBytes);
    at += itemBytes + 1;
    for (let nth = 0; nth < count && at < end; nth += 1, at += isWide ? 2 : 1)
      yield { item, property: isWide ? bytes.readUInt16BE(at) & 0x7fff : bytes.readUInt8(at) & 0x7f };
  }
}
