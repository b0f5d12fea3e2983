import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { enqueuePictureProcessing } from '../../../../src/features/files/pictures/enqueue-drawing.ts';
import { convertHeicToPng } from '../../../../src/features/files/pictures/heic-decoder.ts';
import { countHeifPixels } from '../../../../src/features/files/pictures/heif-pixels.rules.ts';
import {
  processGalleryPicture,
  processProfilePicture,
} from '../../../../src/features/files/pictures/process-upload.ts';
import { ServiceError } from '../../../../src/shared/errors.ts';
import { t } from '../../../tap.ts';
import {
  createAvifGrid,
  createCleanAperture,
  createHeicGrid,
  createJpegWithScans,
  readHeicPicture,
} from './costly-pictures.ts';
import {
  addIptc,
  createAnimatedPicture,
  createJpegClaimingSize,
  createPictureWithMetadata,
  createPngChunk,
  createPngClaimingSize,
  createSolidPicture,
  createZip,
  METADATA_CANARIES,
} from './hostile-pictures.ts';

/** Memory of decoders; the heap grows by itself. */
function getNativeMemory(): number {
  const { rss, heapTotal } = process.memoryUsage();
  return rss - heapTotal;
}

async function getOutcome(upload: Buffer, accountId?: string): Promise<string> {
  try {
    const { format } = await processGalleryPicture('picture', upload, accountId ? { accountId } : {});
    return format;
  } catch (error) {
    return error instanceof ServiceError ? `${error.statusCode} ${error.code}` : String(error);
  }
}

async function getPixel(bytes: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())];
}

async function getCenterPixel(bytes: Buffer): Promise<number[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
  return [...data.subarray(at, at + 3)];
}

t.test('accepts each format and stores WebP with transparency, otherwise JPEG', async (t) => {
  t.equal(await getOutcome(await createSolidPicture(50, 40).jpeg().toBuffer()), 'jpeg');
  t.equal(await getOutcome(await createSolidPicture(50, 40).png().toBuffer()), 'jpeg');
  t.equal(await getOutcome(await createSolidPicture(50, 40).webp().toBuffer()), 'jpeg');
  t.equal(await getOutcome(await createSolidPicture(50, 40).avif({ effort: 0 }).toBuffer()), 'jpeg');
  t.equal(await getOutcome(await createSolidPicture(50, 40, 0.5).png().toBuffer()), 'webp');
  t.equal(await getOutcome(await createSolidPicture(50, 40, 0.5).webp().toBuffer()), 'webp');
  t.ok(['jpeg', 'webp'].includes(await getOutcome(await createSolidPicture(50, 40).gif().toBuffer())));
  const { width, height, bytes } = await processGalleryPicture(
    'picture',
    await createSolidPicture(6_000, 3_000).jpeg().toBuffer(),
  );
  t.same({ width, height }, { width: 4_096, height: 2_048 });
  t.match(await sharp(bytes).metadata(), { format: 'jpeg', width: 4_096, height: 2_048 });
});

t.test(
  'location data is removed in every format, and the stored picture is upright and in sRGB',
  async (t) => {
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const sent = await createPictureWithMetadata(format);
      const said = METADATA_CANARIES.filter((word) => sent.includes(word));
      t.ok(said.length >= 2, `${format} sent says ${said}`);
      const { bytes } = await processGalleryPicture('picture', sent);
      for (const word of METADATA_CANARIES) t.notOk(bytes.includes(word), `${format}: ${word}`);
      const { exif, xmp, iptc, icc, comments, orientation } = await sharp(bytes).metadata();
      t.same([exif, xmp, iptc, icc, comments, orientation], Array(6).fill(undefined), format);
    }
    const turned = await createSolidPicture(80, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height } = await processGalleryPicture('picture', turned);
    t.same({ width, height }, { width: 40, height: 80 });
    const wide = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#0f0' } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const inked = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#00f' } })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer();
    for (const sent of [wide, inked]) {
      const { bytes } = await processGalleryPicture('picture', sent);
      t.match(await sharp(bytes).metadata(), { space: 'srgb', channels: 3, icc: undefined });
    }
  },
);

t.test('stores the first frame of an animation', async (t) => {
  for (const format of ['gif', 'webp'] as const) {
    const sent = await createAnimatedPicture(format);
    t.equal((await sharp(sent).metadata()).pages, 2);
    const { bytes, height } = await processGalleryPicture('picture', sent);
    const [red = 0, , blue = 255] = await getCenterPixel(bytes);
    t.ok(red > 240 && blue < 15 && height === 30, format);
  }
  const png = await createSolidPicture(50, 50).png().toBuffer();
  const control = createPngChunk('acTL', Buffer.from('0000000200000000', 'hex'));
  const apng = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
  const { bytes } = await processGalleryPicture('picture', apng);
  t.notOk(bytes.includes('acTL'));
});

t.test('rejects non-pictures and polyglot files with 400', async (t) => {
  const jpeg = await createSolidPicture(60, 60).jpeg().toBuffer();
  const png = await createSolidPicture(60, 60).png().toBuffer();
  const gif = await createSolidPicture(60, 60).gif().toBuffer();
  const text = (value: string) => Buffer.from(value, 'latin1');
  const cases: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.alloc(1, 0xff)],
    [
      'SVG',
      text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
    ],
    ['SVG behind a head of XML', text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', text('<!doctype html><script>alert(1)</script>')],
    ['PDF', text('%PDF-1.7\n1 0 obj\n<<>>\nendobj')],
    ['TIFF', await createSolidPicture(9, 9).tiff().toBuffer()],
    ['BMP', text('BM\x3a\0\0\0\0\0\0\0\x36\0\0\0')],
    ['ICO', text('\0\0\x01\0\x01\0\x10\x10')],
    ['PSD', text('8BPS\0\x01\0\0\0\0\0\0')],
    ['JPEG 2000', text('\0\0\0\x0cjP  \r\n\x87\n')],
    ['JPEG XL', text('\xff\x0a\xfa\x7f\x01\x90')],
    ['a head of HEIC alone', text('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ['MP4', text('\0\0\0\x18ftypmp42\0\0\0\0isommp42')],
    ['a head of AVIF alone', text('\0\0\0\x18ftypavif\0\0\0\0mif1avif')],
    ['a RIFF of sound', text('RIFF\x24\0\0\0WAVEfmt ')],
    ['a zip', createZip()],
    ['a PNG head before SVG', Buffer.concat([png.subarray(0, 8), text('<svg xmlns="a"/>')])],
    ['JPEG and zip', Buffer.concat([jpeg, createZip()])],
    ['PNG and zip with a comment behind', Buffer.concat([png, addZipComment(createZip(), 'a comment')])],
    ['GIF and script', Buffer.concat([text('GIF89a/*'), gif.subarray(8), text('*/=1;alert(1)')])],
    ['GIF that is assigned to', Buffer.concat([text('GIF89a='), gif.subarray(7)])],
    ['JPEG and page', Buffer.concat([jpeg, text('<HTML><body onload=alert(1)>')])],
    ['JPEG with a script in its comment', withComments(jpeg, '<script>alert(1)</script>')],
    ['PNG and PHP', Buffer.concat([png, text('<?php system($_GET[0]);')])],
    ['JPEG and PDF', withComments(jpeg, '%PDF-1.4 1 0 obj')],
    ['JPEG and RAR', Buffer.concat([jpeg, text('Rar!\x1a\x07\x01\0')])],
    ['JPEG and 7-Zip', Buffer.concat([jpeg, text('7z\xbc\xaf\x27\x1c\0\x04')])],
    ['PNG and SVG', Buffer.concat([png, text('<svg onload=alert(1)>')])],
    ['a JPEG head alone', jpeg.subarray(0, 20)],
    ['a JPEG cut in half', jpeg.subarray(0, jpeg.length / 2)],
    ['a PNG cut short', png.subarray(0, png.length - 30)],
    ['a GIF cut in half', gif.subarray(0, 14)],
    [
      'a WebP cut in half',
      (await createSolidPicture(60, 60).webp({ lossless: true }).toBuffer()).subarray(0, 24),
    ],
    ['a PNG that says no width', createPngClaimingSize(0, 10)],
    ['a PNG with less than it says', createPngClaimingSize(5_000, 5_000)],
  ];
  for (const [title, upload] of cases) t.equal(await getOutcome(upload), '400 VALIDATION_FAILED', title);
  const behind = Buffer.concat([addIptc(jpeg), text('ftypmp42 what phones put behind a picture that moves')]);
  const { bytes } = await processGalleryPicture('picture', behind);
  t.notMatch(
    bytes.toString('latin1'),
    'phones',
    'what harmless things stand behind a picture are left behind',
  );
});

t.test('rejects too many pixels with 413 before decoding', async (t) => {
  const cases: [string, Buffer][] = [
    ['a PNG of 50 million and some', createPngClaimingSize(10_000, 5_001)],
    ['a PNG of the largest size there is', createPngClaimingSize(0x7fffffff, 0x7fffffff)],
    ['a JPEG of 65,500 pixels each way', await createJpegClaimingSize(65_500, 65_500)],
    [
      'a small AVIF of 20 million and some',
      await createSolidPicture(5_000, 4_001).avif({ effort: 0, quality: 1 }).toBuffer(),
    ],
  ];
  const before = getNativeMemory();
  for (const [title, upload] of cases) {
    const said = await getOutcome(upload);
    t.ok(['413 PAYLOAD_TOO_LARGE', '400 VALIDATION_FAILED'].includes(said), `${title}: ${said}`);
  }
  t.equal(await getOutcome(createPngClaimingSize(10_000, 5_001)), '413 PAYLOAD_TOO_LARGE');
  t.ok(getNativeMemory() - before < 30e6, 'and takes no memory');
});

t.test('rejects files that are too expensive to decode and accepts ordinary grids', async (t) => {
  t.equal(await getOutcome(await createJpegWithScans(64, 48, 2)), 'jpeg', 'a JPEG of 85 scans');
  t.equal(await getOutcome(await createJpegWithScans(64, 48, 3)), '400 VALIDATION_FAILED', 'of 127');
  t.equal(await getOutcome(await createAvifGrid(64, 2)), 'jpeg', 'an AVIF of four squares');
  t.equal(await getOutcome(await createAvifGrid(1_024, 4)), 'jpeg', 'of 17 million pixels');
  t.equal(await getOutcome(await createAvifGrid(1_024, 5)), '413 PAYLOAD_TOO_LARGE', 'of 26 million');
  t.equal(
    await getOutcome(await createAvifGrid(4_500, 1)),
    '413 PAYLOAD_TOO_LARGE',
    'of one that is cut off',
  );
});

t.test('redraws HEIC upright, in sRGB and without metadata', async (t) => {
  const heic = await readHeicPicture();
  t.ok(heic.includes('SecretCamera') && heic.includes('prof'));
  for (const process of [processGalleryPicture, processProfilePicture]) {
    const { format, width, height, bytes } = await process('picture', heic);
    t.same({ format, width, height }, { format: 'jpeg', width: 64, height: 48 });
    t.notOk(bytes.includes('SecretCamera'));
    const { exif, icc, xmp, space } = await sharp(bytes).metadata();
    t.same({ exif, icc, xmp, space }, { exif: undefined, icc: undefined, xmp: undefined, space: 'srgb' });
    const [red = 0, green = 255, blue = 255] = await getPixel(bytes, 8, 8);
    t.ok(red > 200 && green < 50 && blue < 50, `converted to sRGB: ${[red, green, blue]}`);
  }
  const turned = Buffer.from('\0\0\0\x09irot\x03', 'latin1');
  const { bytes } = await processGalleryPicture('picture', await createHeicGrid(1, { properties: [turned] }));
  const [red = 0, , blue = 255] = await getPixel(bytes, 56, 8);
  t.ok(red > 180 && blue < 80, `turned to the right: ${red}, ${blue}`);
});

t.test('a HEIC is cropped as it was on the phone, and then turned', async (t) => {
  // Quarters of red and green, blue and white; 100 × 120 of 320 × 320 pixels, turned to the left.
  const heic = await readFile('test/features/files/pictures/cropped.heic');
  const { width, height, bytes } = await processGalleryPicture('picture', heic);
  t.same({ width, height }, { width: 120, height: 100 });
  for (const [x, y, color] of [
    [10, 10, [0, 192, 0]],
    [110, 10, [255, 255, 255]],
    [10, 90, [224, 0, 0]],
    [110, 90, [0, 0, 224]],
  ] as const) {
    const pixel = await getPixel(bytes, x, y);
    t.ok(
      color.every((value, channel) => Math.abs(value - (pixel[channel] ?? 999)) < 12),
      `${x},${y}: ${pixel}`,
    );
  }
  const mirrored = Buffer.from('\0\0\0\x09imir\x01', 'latin1');
  const aperture = createCleanAperture(300, 200, 60, -40);
  const options = { visible: 640, hasOwnTiles: true };
  const whole = await sharp(await convertHeicToPng(await createHeicGrid(10, options), 4_096))
    .extract({ left: 230, top: 180, width: 300, height: 200 })
    .flop()
    .raw()
    .toBuffer();
  const cropped = await createHeicGrid(10, { ...options, properties: [aperture, mirrored] });
  t.ok(
    (
      await sharp(await convertHeicToPng(cropped, 4_096))
        .raw()
        .toBuffer()
    ).equals(whole),
  );
  const impossible = await createHeicGrid(1, { properties: [createCleanAperture(0, 200, 0, 0)] });
  t.equal(await getOutcome(impossible), '400 VALIDATION_FAILED');
});

t.test('rejects a HEIC that is damaged, claims too much or is too expensive', async (t) => {
  const heic = await readHeicPicture();
  const meta = heic.indexOf('meta') - 4;
  const cyclic = await createHeicGrid(1);
  cyclic.writeUInt16BE(1, cyclic.indexOf('dimg') + 8);
  const cases: [string, string, Buffer][] = [
    ['413 PAYLOAD_TOO_LARGE', 'of one tile drawn 65,025 times', await createHeicGrid(255)],
    ['413 PAYLOAD_TOO_LARGE', 'of a huge tile', await createHeicGrid(1, { size: 30_000 })],
    ['413 PAYLOAD_TOO_LARGE', 'that contains itself', cyclic],
    ['400 VALIDATION_FAILED', 'of another size than it claims', await createHeicGrid(1, { size: 4_000 })],
    ['400 VALIDATION_FAILED', 'cut in half', heic.subarray(0, heic.length / 2)],
    ['400 VALIDATION_FAILED', 'without its last tile', heic.subarray(0, 1_100)],
    ['400 VALIDATION_FAILED', 'without pictures', heic.subarray(0, meta)],
    ['400 VALIDATION_FAILED', 'of zeros', Buffer.concat([heic.subarray(0, meta), Buffer.alloc(5_000)])],
    ['400 VALIDATION_FAILED', 'that is also a page', Buffer.concat([heic, Buffer.from('<script>alert(1)')])],
    [
      '400 VALIDATION_FAILED',
      'of a moving picture',
      Buffer.from('\0\0\0\x18ftyphevc\0\0\0\0msf1hevc\0\0\0\x08moov'),
    ],
  ];
  for (const [outcome, title, upload] of cases) t.equal(await getOutcome(upload), outcome, title);
  for (let seed = 1; seed <= 60; seed += 1) {
    const mutated = Buffer.from(heic);
    for (let nth = 0; nth < 4; nth += 1)
      mutated[28 + ((seed * 7_919 + nth * 104_729) % (heic.length - 28))] = seed * 37;
    t.match(await getOutcome(mutated), /^jpeg$|^webp$|^400 |^413 /, `bytes changed by seed ${seed}`);
  }
});

t.test('parallel large pictures use memory of the drawing process only', async (t) => {
  const upload = await createSolidPicture(8_000, 6_000).jpeg({ progressive: true }).toBuffer();
  const before = getNativeMemory();
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => getOutcome(upload)));
  t.same(outcomes, Array(4).fill('jpeg'));
  t.ok(getNativeMemory() - before < 60e6);
});

t.test('refuses uploads of an account that has too many, and all when the queue is full', async (t) => {
  const upload = await createSolidPicture(1_500, 1_500).png().toBuffer();
  const sendAll = async (accounts: readonly string[]) => {
    const outcomes = await Promise.all(accounts.map((account) => getOutcome(upload, account)));
    return ['jpeg', '429 RATE_LIMITED', '503 BUSY'].map(
      (wanted) => outcomes.filter((one) => one === wanted).length,
    );
  };
  t.same(await sendAll(Array(30).fill('one')), [6, 24, 0], 'two are drawn, four wait');
  t.same(await sendAll([...Array(30).fill('one'), 'two', 'two', 'three']), [9, 24, 0]);
  t.same(await sendAll(Array.from({ length: 30 }, (_, index) => `${index}`)), [10, 0, 20]);
  t.equal(await getOutcome(upload), 'jpeg', 'and later ones are taken again');
});

t.test('requesters of drawings take turns', async (t) => {
  const bytes = await createSolidPicture(1_500, 1_500).png().toBuffer();
  const finished: string[] = [];
  const draw = async (requester: string) => {
    const task = { purpose: 'RENDITION', bytes: Buffer.from(bytes), width: 640, format: 'jpeg' } as const;
    await enqueuePictureProcessing('rendition', requester, () => task);
    finished.push(requester);
  };
  await Promise.all([...Array(20).fill('many'), 'one'].map(draw));
  t.ok(finished.indexOf('one') <= 5, finished.join(' '));
  const refused = await Promise.all(
    Array.from({ length: 40 }, () => draw('many').catch(({ code }: ServiceError) => code)),
  );
  t.equal(refused.filter((code) => code === 'RATE_LIMITED').length, 8, 'two are drawn, thirty wait');
});

t.test('counts the pixels of a HEIC in one reading of its boxes', async (t) => {
  const u32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
  const box = (type: string, ...content: Buffer[]) => {
    const body = Buffer.concat([Buffer.from(type), ...content]);
    return Buffer.concat([u32(body.length + 4), body]);
  };
  const rest = Buffer.alloc(60_000);
  const associations = Array<Buffer>(500).fill(box('ipma', u32(0), u32(19_980)));
  const derivations = Array<Buffer>(500).fill(box('dimg', Buffer.from([0, 1, 0xff, 0xff])));
  for (const content of [box('iprp', ...associations), box('iref', u32(0), ...derivations)]) {
    const file = Buffer.concat([
      box('ftyp', Buffer.from('heic')),
      box('meta', u32(0), content),
      box('free', rest),
    ]);
    let reads = 0;
    for (const name of ['readUIntBE', 'readUInt8', 'readUInt16BE'] as const) {
      const read = file[name].bind(file) as (...position: number[]) => number;
      const count = (...position: number[]) => {
        reads += 1;
        return read(...position);
      };
      Object.assign(file, { [name]: count });
    }
    countHeifPixels(file);
    t.ok(reads < 10_000, `${reads} reads`);
  }
});

/** Add a zip comment with its length. */
function addZipComment(archive: Buffer, comment: string): Buffer {
  const bytes = Buffer.concat([archive, Buffer.from(comment, 'latin1')]);
  bytes.writeUInt16LE(comment.length, archive.length - 2);
  return bytes;
}

function withComments(jpeg: Buffer, comment: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(comment, 'latin1'), jpeg.subarray(2)]);
}

t.test('says that a picture is damaged, and what to send instead of a HEIC', async (t) => {
  const jpeg = await createSolidPicture(60, 60).jpeg().toBuffer();
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
  for (const [upload, message] of [
    [jpeg.subarray(0, jpeg.length / 2), /The JPEG picture is damaged/],
    [heic, /The HEIC picture is damaged.*send a JPEG/],
    [Buffer.from('text'), /Must be a JPEG/],
  ] as const)
    await t.rejects(processGalleryPicture('picture', upload), {
      code: 'VALIDATION_FAILED',
      errors: [{ code: 'NOT_A_PICTURE', message }],
    });
});
