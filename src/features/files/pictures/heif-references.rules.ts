import { findChildren, readBoxes, readMetaBoxes } from './heif-boxes.rules.ts';

const MAX_ITEM_ID = 0xffff;

/**
 * Make references of derived pictures that name an item twice, such as an overlay of one picture with itself, unique:
 * libheif 1.23 refuses the whole file for them. Those of the primary picture stay, since it is decoded from them. Returns
 * the file itself if there is nothing to change.
 */
export function removeRepeatedHeifReferences(file: Buffer): Buffer {
  let copy: Buffer | null = null;
  for (const meta of readMetaBoxes(file)) {
    const [primary] = findChildren(file, [meta], 'pitm');
    if (!primary || primary.end - primary.from < 6) continue;
    const isWideId = file.readUInt8(primary.from) > 0 && primary.end - primary.from >= 8;
    const primaryId = file.readUIntBE(primary.from + 4, isWideId ? 4 : 2);
    for (const { from, end } of findChildren(file, [meta], 'iref')) {
      if (end - from < 4) continue;
      const idBytes = file.readUInt8(from) > 0 ? 4 : 2;
      for (const reference of readBoxes(file, from + 4, end))
        for (const { at, unusedId } of findRepeatedIds(file, reference, { idBytes, primaryId })) {
          copy ??= Buffer.from(file);
          copy.writeUIntBE(unusedId, at, idBytes);
        }
    }
  }
  return copy ?? file;
}

/** Find where a reference repeats an item, and an id for each that the reference does not have. */
function findRepeatedIds(
  file: Buffer,
  { from, end }: { from: number; end: number },
  { idBytes, primaryId }: { idBytes: number; primaryId: number },
): { at: number; unusedId: number }[] {
  if (end - from < idBytes + 2 || file.readUIntBE(from, idBytes) === primaryId) return [];
  const start = from + idBytes + 2;
  const count = Math.min(file.readUInt16BE(start - 2), Math.floor((end - start) / idBytes));
  const places = Array.from({ length: count }, (_, index) => start + index * idBytes);
  const ids = new Set(places.map((at) => file.readUIntBE(at, idBytes)));
  const knownIds = new Set<number>();
  let unusedId = MAX_ITEM_ID;
  return places.flatMap((at) => {
    const id = file.readUIntBE(at, idBytes);
    if (!knownIds.has(id)) {
      knownIds.add(id);
      return [];
    }
    while (ids.has(unusedId)) unusedId -= 1;
    ids.add(unusedId);
    return [{ at, unusedId }];
  });
}
