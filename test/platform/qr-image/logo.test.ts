import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { sanitizeLogo } from '../../../src/platform/qr-image/logo.ts';
import { decodeLogoDataUrl } from '../../../src/platform/qr-image/logo-data-url.ts';
import { t } from '../../tap.ts';
import { createLogo, toDataUrl } from './logo-helper.ts';

const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });

t.test('a logo is re-encoded as a PNG without metadata or trailing bytes', async (t) => {
  const jpeg = await noise(40)
    .withExif({ IFD0: { Copyright: 'canary-copyright' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
    .jpeg()
    .toBuffer();
  const polyglot = Buffer.concat([jpeg, Buffer.from('<script>canary-script</script>')]);
  const bytes = decodeLogoDataUrl(await sanitizeLogo(toDataUrl(polyglot, 'jpeg')));
  const { format, exif, width } = await sharp(bytes).metadata();
  t.same({ format, exif, width }, { format: 'png', exif: undefined, width: 40 });
  t.notMatch(bytes.toString('latin1'), 'canary');
});

t.test('a logo is rotated upright', async (t) => {
  const turned = await noise(40)
    .resize(60, 30, { fit: 'fill' })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { width, height } = await sharp(
    decodeLogoDataUrl(await sanitizeLogo(toDataUrl(turned, 'jpeg'))),
  ).metadata();
  t.same({ width, height }, { width: 30, height: 60 });
});

t.test('a sanitized logo can be sanitized again, whatever it shows', async (t) => {
  const photo = await noise(1000).jpeg({ quality: 20 }).toBuffer();
  const once = await sanitizeLogo(toDataUrl(photo, 'jpeg'));
  t.ok(once.length <= 65_536, `${once.length} characters`);
  t.ok((await sanitizeLogo(once)).length <= 65_536);
});

t.test('rejects truncated images, decompression bombs and other file types', async (t) => {
  const png = decodeLogoDataUrl(await createLogo('#123456'));
  const jpeg = await noise(64).jpeg().toBuffer();
  const bomb = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const refused: Record<string, Buffer> = {
    empty: Buffer.alloc(1),
    svg: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
    ),
    gif: await noise(9).gif().toBuffer(),
    webp: await noise(9).webp().toBuffer(),
    'a PNG cut off': png.subarray(0, png.length / 2),
    'a JPEG cut off': jpeg.subarray(0, jpeg.length / 2),
    bomb,
    text: Buffer.from('not a picture at all'),
  };
  for (const [name, bytes] of Object.entries(refused))
    await t.rejects(
      sanitizeLogo(toDataUrl(bytes)),
      { code: 'VALIDATION_FAILED', errors: [{ field: 'design.logo', code: 'INVALID_IMAGE' }] },
      name,
    );
});
