import { readFile } from 'node:fs/promises';
import { createSolidPicture } from './hostile-pictures.ts';

/** Create a progressive JPEG with one scan for each step of each coefficient. */
export async function createJpegWithScans(
  width: number,
  height: number,
  coefficients: number,
): Promise<Buffer> {
  const jpeg = await createSolidPicture(width, height)
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
  // The scan of all AC coefficients of one component, all blocks empty.
  const from = jpeg.indexOf(Buffer.from('ffda00080103', 'hex'));
  const to = jpeg.indexOf(Buffer.from('ffc4', 'hex'), from);
  const first = jpeg.indexOf(Buffer.from('ffda000c', 'hex'));
  const head = jpeg.subarray(0, jpeg.indexOf(Buffer.from('ffc4', 'hex'), first));
  const tables = jpeg.subarray(jpeg.lastIndexOf(Buffer.from('ffc4', 'hex'), from), from);
  const scans: Buffer[] = [];
  for (let component = 1; component <= 3; component += 1)
    for (let coefficient = 1; coefficient <= coefficients; coefficient += 1)
      for (let step = 13; step >= 0; step -= 1) {
        const scan = Buffer.from(jpeg.subarray(from, to));
        scan.set([component, scan[6] ?? 0, coefficient, coefficient], 5);
        scan[9] = ((step === 13 ? 0 : step + 1) << 4) | step;
        scans.push(scan);
      }
  return Buffer.concat([head, tables, ...scans, Buffer.from('ffd9', 'hex')]);
}

/** Create a cropped AVIF grid of 64 pixels with `each` × `each` tiles. */
export async function createAvifGrid(size: number, each: number): Promise<Buffer> {
  const square = await createSolidPicture(size, size).avif({ effort: 0, quality: 1 }).toBuffer();
  const data = square.subarray(square.indexOf('mdat') + 4);
  return createGrid({ format: ['avif', 'av01'], size, each, decoder: readBox(square, 'av1C'), data });
}

/**
 * A drawn picture of 64 × 48 pixels in Display P3, with a camera and a position in its Exif; red, blue, blue, green. Made with
 * `heif-enc` 1.15 of libheif, which writes a grid of one tile as phones do.
 */
export function readHeicPicture(): Promise<Buffer> {
  return readFile('test/features/files/pictures/grid-with-exif.heic');
}

/** Create a HEIC of 64 pixels with `each` × `each` tiles that claim a size; by default that of the tile. */
export async function createHeicGrid(
  each: number,
  {
    size = 64,
    visible = 64,
    properties = [],
    hasOwnTiles = false,
  }: { size?: number; visible?: number; properties?: Buffer[]; hasOwnTiles?: boolean } = {},
): Promise<Buffer> {
  const picture = await readHeicPicture();
  // The first item in its data is the tile.
  const data = picture.subarray(1_010, 1_147);
  const decoder = readBox(picture, 'hvcC');
  return createGrid({
    format: ['heic', 'hvc1'],
    size,
    each,
    decoder,
    data,
    visible,
    properties,
    hasOwnTiles,
  });
}

/** Create the property of a crop; offsets are those of its center from the center of the picture. */
export function createCleanAperture(width: number, height: number, left: number, top: number): Buffer {
  const property = Buffer.alloc(40);
  property.writeUInt32BE(40);
  property.write('clap', 4);
  for (const [index, value] of [width, 1, height, 1, left, 1, top, 1].entries())
    property.writeInt32BE(value, 8 + 4 * index);
  return property;
}

function readBox(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type) - 4;
  return file.subarray(at, at + file.readUInt32BE(at));
}

interface Grid {
  format: [brand: string, itemType: string];
  size: number;
  each: number;
  decoder: Buffer;
  data: Buffer;
  visible?: number;
  /** Of the whole picture. */
  properties?: readonly Buffer[];
  /** Whether each tile is an item, as in a photo; else all are one. */
  hasOwnTiles?: boolean;
}

function createGrid({
  format,
  size,
  each,
  decoder,
  data,
  visible = 64,
  properties = [],
  hasOwnTiles = false,
}: Grid): Buffer {
  const [brand, itemType] = format;
  const tiles = Array.from({ length: hasOwnTiles ? each * each : 1 }, (_, index) => 2 + index);
  const parts = hasOwnTiles ? tiles : Array<number>(each * each).fill(2);
  const u8 = (...values: number[]) => Buffer.from(values);
  const u16 = (...values: number[]) => Buffer.concat(values.map((value) => u8(value >> 8, value & 255)));
  const u32 = (...values: number[]) => u16(...values.flatMap((value) => [value >>> 16, value & 0xffff]));
  const box = (type: string, ...content: Buffer[]) => {
    const body = Buffer.concat([Buffer.from(type), ...content]);
    return Buffer.concat([u32(body.length + 4), body]);
  };
  const entry = (id: number, type: string) => box('infe', u32(2 << 24), u16(id, 0), Buffer.from(type), u8(0));
  const sized = (edge: number) => box('ispe', u32(0, edge, edge));
  const grid = Buffer.concat([u8(0, 0, each - 1, each - 1), u16(visible, visible)]);
  const head = box('ftyp', Buffer.from(brand), u32(0), Buffer.from(`${brand}mif1miaf`));
  const places = (dataAt: number) => [
    u32(1 << 24),
    u8(0x44, 0),
    u16(1 + tiles.length),
    ...[u16(1, 1, 0, 1), u32(0, grid.length)],
    ...tiles.flatMap((id) => [u16(id, 0, 0, 1), u32(dataAt, data.length)]),
  ];
  const meta = (dataAt: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', u32(0), u16(1)),
      box('iloc', ...places(dataAt)),
      box('iinf', u32(0), u16(1 + tiles.length), entry(1, 'grid'), ...tiles.map((id) => entry(id, itemType))),
      box('iref', u32(0), box('dimg', u16(1, parts.length), u16(...parts))),
      box(
        'iprp',
        box('ipco', sized(visible), sized(size), decoder, ...properties),
        box(
          'ipma',
          u32(0, 1 + tiles.length),
          u16(1),
          u8(1 + properties.length, 1, ...properties.map((_, index) => 0x84 + index)),
          ...tiles.flatMap((id) => [u16(id), u8(2, 0x83, 2)]),
        ),
      ),
      box('idat', grid),
    );
  const dataAt = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(dataAt), box('mdat', data)]);
}
