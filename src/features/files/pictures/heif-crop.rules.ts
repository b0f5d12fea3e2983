import {
  type Box,
  findChildren,
  readAssociations,
  readItemProperties,
  readMetaBoxes,
} from './heif-boxes.rules.ts';

export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

/** Of the content of a `clap` box: four fractions. */
const CROP_BYTES = 32;

/**
 * Take the crop out of a HEIC (clean aperture, ISO/IEC 14496-12, 12.1.4): the copy is decoded as a whole, and `crop` is
 * its visible part as it is turned. libheif 1.23 refuses to decode a picture that is much larger than its crop
 * (strukturag/libheif#1856). Null for a file without a crop, or with one that this does not understand.
 */
export function removeHeifCrop(file: Buffer): { file: Buffer; crop: Rectangle } | null {
  const [meta, ...others] = readMetaBoxes(file);
  if (!meta || others.length > 0) return null;
  const properties = readItemProperties(file, meta);
  if (!properties.some(({ type }) => type === 'clap')) return null;
  const [primary] = findChildren(file, [meta], 'pitm');
  const [associations] = findChildren(file, findChildren(file, [meta], 'iprp'), 'ipma');
  if (!primary || !associations) return null;
  const isWideId = file.readUInt8(primary.from) > 0;
  const primaryId = file.readUIntBE(primary.from + 4, isWideId ? 4 : 2);
  const own = [...readAssociations(file, associations)]
    .filter(({ item }) => item === primaryId)
    .flatMap(({ property }) => properties[property - 1] ?? []);
  return cropByProperties(file, own);
}

/** Properties that transform a picture do so in their order (ISO/IEC 23008-12, 6.5.8). */
function cropByProperties(
  file: Buffer,
  properties: readonly Box[],
): { file: Buffer; crop: Rectangle } | null {
  const copy = Buffer.from(file);
  let size: Size | null = null;
  let crop: Rectangle | null = null;
  for (const { type, from } of properties) {
    if (type === 'ispe') size = { width: file.readUInt32BE(from + 4), height: file.readUInt32BE(from + 8) };
    if (size === null) continue;
    if (type === 'clap') {
      // A second crop of the cropped picture.
      if (crop) return null;
      crop = readCrop(file.subarray(from, from + CROP_BYTES), size);
      if (!crop) return null;
      writeFullSize(copy, from, size);
    } else if (type === 'irot') {
      for (let quarters = file.readUInt8(from) & 3; quarters > 0; quarters -= 1) {
        crop &&= rotate(crop, size);
        size = { width: size.height, height: size.width };
      }
    } else if (type === 'imir') crop &&= mirror(crop, size, file.readUInt8(from) & 1);
  }
  return crop && { file: copy, crop };
}

/** Null for an empty or impossible crop. */
function readCrop(bytes: Buffer, size: Size): Rectangle | null {
  if (bytes.length < CROP_BYTES) return null;
  const width = Math.round(bytes.readUInt32BE(0) / bytes.readUInt32BE(4));
  const height = Math.round(bytes.readUInt32BE(8) / bytes.readUInt32BE(12));
  const offsetX = bytes.readInt32BE(16) / bytes.readUInt32BE(20);
  const offsetY = bytes.readInt32BE(24) / bytes.readUInt32BE(28);
  const left = Math.max(0, Math.floor(offsetX + (size.width - width) / 2));
  const top = Math.max(0, Math.floor(offsetY + (size.height - height) / 2));
  const isInside = width > 0 && height > 0 && left + width <= size.width && top + height <= size.height;
  return isInside ? { left, top, width, height } : null;
}

function writeFullSize(file: Buffer, at: number, { width, height }: Size): void {
  for (const [index, value] of [width, 1, height, 1, 0, 1, 0, 1].entries())
    file.writeUInt32BE(value, at + 4 * index);
}

/** By 90 degrees, counterclockwise. */
function rotate({ left, top, width, height }: Rectangle, size: Size): Rectangle {
  return { left: top, top: size.width - left - width, width: height, height: width };
}

/** Mode 0 exchanges top and bottom, 1 left and right (ISO/IEC 23008-12:2022, 6.5.12). */
function mirror(crop: Rectangle, size: Size, mode: number): Rectangle {
  return mode === 0
    ? { ...crop, top: size.height - crop.top - crop.height }
    : { ...crop, left: size.width - crop.left - crop.width };
}
