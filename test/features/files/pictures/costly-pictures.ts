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
  const propertyAt = square.indexOf('av1C') - 4;
  const decoder = square.subarray(propertyAt, propertyAt + square.readUInt32BE(propertyAt));
  const data = square.subarray(square.indexOf('mdat') + 4);
  const u8 = (...values: number[]) => Buffer.from(values);
  const u16 = (...values: number[]) => Buffer.concat(values.map((value) => u8(value >> 8, value & 255)));
  const u32 = (...values: number[]) => u16(...values.flatMap((value) => [value >>> 16, value & 0xffff]));
  const box = (type: string, ...content: Buffer[]) => {
    const body = Buffer.concat([Buffer.from(type), ...content]);
    return Buffer.concat([u32(body.length + 4), body]);
  };
  const entry = (id: number, type: string) => box('infe', u32(2 << 24), u16(id, 0), Buffer.from(type), u8(0));
  const sized = (edge: number) => box('ispe', u32(0, edge, edge));
  const grid = Buffer.concat([u8(0, 0, each - 1, each - 1), u16(64, 64)]);
  const head = box('ftyp', Buffer.from('avif'), u32(0), Buffer.from('avifmif1miaf'));
  const places = (dataAt: number) => [
    u32(1 << 24),
    u8(0x44, 0),
    u16(2),
    ...[u16(1, 1, 0, 1), u32(0, grid.length), u16(2, 0, 0, 1), u32(dataAt, data.length)],
  ];
  const meta = (dataAt: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', u32(0), u16(1)),
      box('iloc', ...places(dataAt)),
      box('iinf', u32(0), u16(2), entry(1, 'grid'), entry(2, 'av01')),
      box('iref', u32(0), box('dimg', u16(1, each * each), ...Array(each * each).fill(u16(2)))),
      box(
        'iprp',
        box('ipco', sized(64), sized(size), decoder),
        box('ipma', u32(0, 2), u16(1), u8(1, 1), u16(2), u8(2, 0x83, 2)),
      ),
      box('idat', grid),
    );
  const dataAt = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(dataAt), box('mdat', data)]);
}
