import {
  type Box,
  findChildren,
  readAssociations,
  readBoxes,
  readItemProperties,
  readMetaBoxes,
} from './heif-boxes.rules.ts';

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
