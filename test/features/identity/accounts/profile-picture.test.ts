import sharp from 'sharp';
import { createProfilePicture } from '../../../../src/features/identity/accounts/profile-picture.ts';
import { ServiceError } from '../../../../src/shared/errors.ts';
import { t } from '../../../tap.ts';

const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

async function refusal(upload: Buffer): Promise<string> {
  try {
    await createProfilePicture(upload);
    return 'taken';
  } catch (error) {
    return error instanceof ServiceError ? `${error.statusCode} ${error.code}` : String(error);
  }
}

t.test('a picture is reduced to 1,024 pixels and keeps its format and proportions', async (t) => {
  const jpeg = await createProfilePicture(await solid(2_000, 1_000).jpeg().toBuffer());
  t.equal(jpeg.extension, 'jpg');
  t.match(await sharp(jpeg.bytes).metadata(), { format: 'jpeg', width: 1_024, height: 512 });
  const png = await createProfilePicture(await solid(100, 50).png().toBuffer());
  t.equal(png.extension, 'png');
  t.match(await sharp(png.bytes).metadata(), { format: 'png', width: 100, height: 50 });
});

t.test('a picture is rotated upright and its metadata removed, including location and comment', async (t) => {
  const exif = { IFD0: { Artist: 'canary' }, IFD3: { GPSLatitude: '1/1 2/1 3/1', GPSLatitudeRef: 'N' } };
  const sent = await solid(80, 40).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  t.ok((await sharp(sent).metadata()).exif, 'the picture sent has metadata');
  const { bytes } = await createProfilePicture(sent);
  const found = await sharp(bytes).metadata();
  t.match(found, { width: 40, height: 80 });
  t.notOk(found.exif ?? found.xmp ?? found.iptc ?? found.orientation);
  t.notMatch(bytes.toString('latin1'), 'canary');
});

t.test('a file that does not decode as JPEG or PNG is 400, whatever its first bytes are', async (t) => {
  const jpeg = await solid(50, 50).jpeg().toBuffer();
  const png = await solid(50, 50).png().toBuffer();
  const cases: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    [
      'SVG',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
      ),
    ],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj')],
    ['GIF', await solid(9, 9).gif().toBuffer()],
    ['WebP', await solid(9, 9).webp().toBuffer()],
    ['TIFF', await solid(9, 9).tiff().toBuffer()],
    ['a JPEG head alone', jpeg.subarray(0, 20)],
    ['a PNG head alone', png.subarray(0, 20)],
    [
      'a JPEG head before HTML',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('<script>')]),
    ],
    ['a PNG head before SVG', Buffer.concat([png.subarray(0, 8), Buffer.from('<svg/>')])],
    ['a PNG cut short', png.subarray(0, png.length - 30)],
  ];
  for (const [title, upload] of cases) t.equal(await refusal(upload), '400 VALIDATION_FAILED', title);
});

t.test('data appended to a picture is not stored, and a picture with a script is rejected', async (t) => {
  const script = Buffer.from('<script>alert("canary")</script>');
  for (const picture of [await solid(50, 50).jpeg().toBuffer(), await solid(50, 50).png().toBuffer()]) {
    const { bytes } = await createProfilePicture(Buffer.concat([picture, Buffer.from('canary')]));
    t.notMatch(bytes.toString('latin1'), 'canary');
    t.equal(await refusal(Buffer.concat([picture, script])), '400 VALIDATION_FAILED');
  }
  const png = await solid(50, 50).png().toBuffer();
  // An acTL chunk after the header makes an APNG; only its still image is kept.
  const control = Buffer.from('00000008' + '6163544c' + '00000002' + '00000000' + 'f38d9370', 'hex');
  const animated = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
  const { bytes } = await createProfilePicture(animated);
  t.notMatch(bytes.toString('latin1'), 'acTL');
});

t.test('a picture of more than 40 million pixels is 413 before it is decoded', async (t) => {
  const bomb = await solid(8_000, 5_001).png({ compressionLevel: 9 }).toBuffer();
  t.ok(bomb.length < 1_000_000, 'small as a file');
  t.equal(await refusal(bomb), '413 PAYLOAD_TOO_LARGE');
});

t.test('pictures beyond the queue of an account are 429, and the others are processed', async (t) => {
  const upload = await solid(1_500, 1_500).png().toBuffer();
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => refusal(upload)));
  t.equal(outcomes.filter((outcome) => outcome === 'taken').length, 6);
  t.equal(outcomes.filter((outcome) => outcome === '429 RATE_LIMITED').length, 24);
  t.equal(await refusal(upload), 'taken', 'later pictures are accepted again');
});
