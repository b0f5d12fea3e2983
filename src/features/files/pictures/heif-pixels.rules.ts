import { type Box, findChildren, readBoxes, readItemProperties, readMetaBoxes } from './heif-boxes.rules.ts';

/**
 * Count the pixels that a decoder draws of an AVIF or HEIC at most (ISO/IEC 23008-12): of its largest item or all
 * parts of a derived item. The visible size in the header may be smaller.
 */
export function countHeifPixels(file: Buffer): number {
  let max = 0;
  for (const meta of readMetaBoxes(file)) max = Math.max(max, countMetaPixels(file, meta));
  return max;
}

function countMetaPixels(file: Buffer, meta: Box): number {
  const areas = readItemProperties(file, meta).map((box) => readArea(file, box));
  const largest = Math.max(0, ...areas);
  const sizes = new Map<number, number>();
  for (const box of findChildren(file, findChildren(file, [meta], 'iprp'), 'ipma'))
    for (const { item, property } of readAssociations(file, box))
      sizes.set(item, Math.max(sizes.get(item) ?? 0, areas[property - 1] ?? 0));
  const parts = new Map<number, number[]>();
  for (const box of findChildren(file, [meta], 'iref'))
    for (const { whole, part } of readDerivations(file, box)) {
      const before = parts.get(whole);
      if (before) before.push(part);
      else parts.set(whole, [part]);
    }

  const cache = new Map<number, number>();
  function drawnFor(item: number): number {
    const before = cache.get(item);
    if (before !== undefined) return before;
    // Until it is computed: an item that contains itself is infinite.
    cache.set(item, Number.POSITIVE_INFINITY);
    const of = parts.get(item);
    const drawn = of ? of.reduce((sum, part) => sum + drawnFor(part), 0) : sizes.get(item) || largest;
    cache.set(item, drawn);
    return drawn;
  }
  return Math.max(largest, ...[...parts.keys()].map(drawnFor));
}

function readArea(bytes: Buffer, { type, from, end }: Box): number {
  return type === 'ispe' && from + 12 <= end
    ? bytes.readUInt32BE(from + 4) * bytes.readUInt32BE(from + 8)
    : 0;
}

/** Read the properties of items, numbered from 1; a box that goes on behind its end is read up to there. */
function* readAssociations(bytes: Buffer, { from, end }: Box): Generator<{ item: number; property: number }> {
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

/** Read the parts of derived items: grids, overlays. */
function* readDerivations(bytes: Buffer, { from, end }: Box): Generator<{ whole: number; part: number }> {
  const idBytes = bytes.readUInt8(from) === 0 ? 2 : 4;
  for (const box of readBoxes(bytes, from + 4, end)) {
    if (box.type !== 'dimg') continue;
    const whole = bytes.readUIntBE(box.from, idBytes);
    const count = bytes.readUInt16BE(box.from + idBytes);
    const first = box.from + idBytes + 2;
    const last = Math.min(first + count * idBytes, box.end - idBytes + 1);
    for (let at = first; at < last; at += idBytes) yield { whole, part: bytes.readUIntBE(at, idBytes) };
  }
}
