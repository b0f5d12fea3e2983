import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { createDocumentFiles } from './document-files.ts';
import { encodeLenientUtf8 } from './record-placeholder.ts';

export interface EncodedForm {
  type: string;
  bytes: Buffer;
}

export interface FormPart {
  name: string;
  /** File name as in the header (Latin-1). */
  filename?: string;
  contentType?: string;
  bytes: Buffer;
}

export interface FormEncoder {
  files: Record<string, Buffer>;
  /** Encode an object as a form; texts in `pictures` are replaced by that picture. */
  encodeValue(value: unknown, pictures: readonly string[]): EncodedForm;
}

const BOUNDARY = 'fuzzBoundary7MA4YWxk';

export async function createFormEncoder(): Promise<FormEncoder> {
  const files = await drawFiles();
  return {
    files,
    encodeValue(value, pictures) {
      const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
      return encodeForm(
        fields.map(([name, field]): FormPart => {
          const text = typeof field === 'string' ? field : (JSON.stringify(field) ?? '');
          if (!pictures.includes(text)) return { name, bytes: encodeLenientUtf8(text) };
          const kind = text.split(':')[1] ?? 'png';
          return {
            name,
            filename: `me.${kind}`,
            contentType: `image/${kind}`,
            bytes: files[kind] ?? Buffer.alloc(0),
          };
        }),
      );
    },
  };
}

/** Encode parts as multipart/form-data (RFC 7578). */
export function encodeForm(parts: readonly FormPart[], boundary = BOUNDARY): EncodedForm {
  const chunks = parts.flatMap(({ name, filename, contentType, bytes }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`;
    return [Buffer.from(head, 'latin1'), bytes, Buffer.from('\r\n')];
  });
  const end = Buffer.from(`--${boundary}--\r\n`);
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat([...chunks, end]) };
}

async function drawFiles(): Promise<Record<string, Buffer>> {
  const noise = randomBytes(64 * 48 * 3);
  const image = () => sharp(noise, { raw: { width: 64, height: 48, channels: 3 } });
  const flat = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
  const [jpeg, png, webp, gif, tiff, avif, bomb, wideBomb, photo] = await Promise.all([
    image()
      .withExif({ IFD0: { Artist: 'nobody' } })
      .jpeg()
      .toBuffer(),
    image().png().toBuffer(),
    image().webp().toBuffer(),
    image().gif().toBuffer(),
    image().tiff().toBuffer(),
    image().avif({ effort: 0 }).toBuffer(),
    flat(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer(),
    flat(16_000, 2_600).jpeg({ quality: 10 }).toBuffer(),
    flat(1_600, 1_200).jpeg().toBuffer(),
  ]);
  const script = Buffer.from('<script>alert(1)</script>');
  const zip = Buffer.from(`PK\x05\x06${'\x00'.repeat(18)}`, 'latin1');
  return {
    ...{ jpeg, png, webp, gif, tiff, avif, bomb, wideBomb, photo },
    apng: addApngHeader(png),
    hugeHeader: setPngSize(png, 60_000, 60_000),
    zeroSize: setPngSize(png, 0, 0),
    svg: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    ),
    svgBomb: Buffer.from(
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(999)}">]><svg>&b;</svg>`,
    ),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'),
    ...createDocumentFiles(),
    jpegAndScript: Buffer.concat([jpeg, script]),
    jpegAndZip: Buffer.concat([jpeg, zip]),
    gifAndScript: Buffer.concat([Buffer.from('GIF89a/*'), script]),
    pngAndJpeg: Buffer.concat([png.subarray(0, 60), jpeg]),
    magicOnlyJpeg: Buffer.from([0xff, 0xd8, 0xff]),
    magicOnlyPng: png.subarray(0, 8),
    noise: Buffer.from(noise),
    zeros: Buffer.alloc(200_000),
    empty: Buffer.alloc(0),
  };
}

/** Set another size in the header of a PNG, with a correct checksum. */
function setPngSize(png: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return changed;
}

/** Add a chunk that turns a PNG into an animation of a million frames. */
function addApngHeader(png: Buffer): Buffer {
  const chunk = Buffer.alloc(20);
  chunk.writeUInt32BE(8, 0);
  chunk.write('acTL', 4, 'latin1');
  chunk.writeUInt32BE(1_000_000, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16);
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
