import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Coordinates and texts that no response may contain, in the forms of EXIF, XMP and IPTC. */
export const METADATA_CANARIES = ['canary-place', 'GPSLatitude', '52/1', 'canary-artist'];

const GPS = {
  IFD0: { Artist: 'canary-artist', ImageDescription: 'canary-place' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 30/1 12/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 22/1 39/1',
  },
};

const XMP =
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="canary-place" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,30.2N"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';

/** A picture of noise, so that no two files are equal. */
export function createSolidPicture(width: number, height: number, alpha?: number) {
  const background = { r: 200, g: 90, b: 30, ...(alpha === undefined ? {} : { alpha }) };
  return sharp({ create: { width, height, channels: alpha === undefined ? 3 : 4, background } });
}

/** Create a picture with its location in all metadata of its format. */
export async function createPictureWithMetadata(
  format: 'jpeg' | 'png' | 'webp' | 'avif',
  width = 64,
  height = 48,
): Promise<Buffer> {
  const picture = createSolidPicture(width, height).withExif(GPS).withXmp(XMP);
  if (format === 'jpeg') return addIptc(await picture.jpeg().toBuffer());
  if (format === 'png') return addTextChunk(await picture.png().toBuffer());
  return format === 'webp' ? picture.webp().toBuffer() : picture.avif({ effort: 0 }).toBuffer();
}

/** Add a Photoshop segment (IPTC: city and caption), a comment, and an EXIF thumbnail. */
export function addIptc(jpeg: Buffer): Buffer {
  const city = Buffer.from('canary-place', 'latin1');
  const data = Buffer.concat([Buffer.from([0x1c, 2, 90, 0, city.length]), city]);
  const resource = Buffer.concat([
    Buffer.from('Photoshop 3.0\0' + '8BIM', 'latin1'),
    Buffer.from([4, 4, 0, 0, 0, 0, 0, data.length]),
    data,
    Buffer.alloc(data.length % 2),
  ]);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xed, resource),
    segment(0xfe, Buffer.from('canary-place GPSLatitude 52/1')),
    jpeg.subarray(2),
  ]);
}

/** Add text chunks of each kind after the header. */
export function addTextChunk(png: Buffer): Buffer {
  const texts = [
    createPngChunk('tEXt', Buffer.from('Comment\0canary-place', 'latin1')),
    createPngChunk(
      'zTXt',
      Buffer.concat([Buffer.from('GPSLatitude\0\0', 'latin1'), deflateSync('canary-place')]),
    ),
    createPngChunk('iTXt', Buffer.from('Location\0\0\0\0\0canary-place', 'latin1')),
  ];
  return Buffer.concat([png.subarray(0, 33), ...texts, png.subarray(33)]);
}

export function createPngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, end]);
}

/** Create a PNG whose header claims a false size. */
export function createPngClaimingSize(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    createPngChunk('IHDR', size),
    createPngChunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    createPngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Create a JPEG whose frame header claims a false size. */
export async function createJpegClaimingSize(width: number, height: number): Promise<Buffer> {
  const jpeg = Buffer.from(await createSolidPicture(32, 32).jpeg().toBuffer());
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

/** Create a minimal zip with one empty, uncompressed entry. */
export function createZip(name = 'Evil.class'): Buffer {
  const title = Buffer.from(name, 'latin1');
  const local = Buffer.alloc(30);
  local.write('PK\x03\x04', 'latin1');
  local.writeUInt16LE(title.length, 26);
  const entry = Buffer.alloc(46);
  entry.write('PK\x01\x02', 'latin1');
  entry.writeUInt16LE(title.length, 28);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + title.length, 12);
  end.writeUInt32LE(local.length + title.length, 16);
  return Buffer.concat([local, title, entry, title, end]);
}

/** Create an animation: red, then blue. */
export async function createAnimatedPicture(format: 'gif' | 'webp'): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = sharp([await frame('#f00'), await frame('#00f')], { join: { animated: true } });
  return format === 'gif' ? frames.gif().toBuffer() : frames.webp({ lossless: true }).toBuffer();
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}
