import sharp from 'sharp';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { drawScannableQrImage } from '../../../src/platform/qr-image/draw-scannable.ts';
import { t } from '../../tap.ts';
import { createLogo } from './logo-helper.ts';
import { readWithJsqr } from './read-with-jsqr.ts';

const SCAN_URL = 'https://codes.example.org/s/65a1b2c3d4e5f60718293a4b';

t.test('an image has the requested size and can be decoded', async (t) => {
  for (const size of [128, 333, 512, 2048]) {
    const { png, design, adjusted } = await drawScannableQrImage(SCAN_URL, { size });
    const { width, height, format } = await sharp(png).metadata();
    t.same({ width, height, format }, { width: size, height: size, format: 'png' });
    t.equal(design.size, size);
    t.same(adjusted, []);
  }
});

t.test('adjusts error correction and size to the content, unless the client sets them', async (t) => {
  const { png, design, adjusted } = await drawScannableQrImage('a'.repeat(2953));
  t.same(adjusted, [
    { field: 'errorCorrection', from: 'M', to: 'L' },
    { field: 'size', from: 512, to: 555 },
  ]);
  t.equal(design.size, 555);
  t.ok(await isQrCodeDecodableAs(png, 'a'.repeat(2953)));
});

t.test('keeps the options set by the client, or rejects them with the reason', async (t) => {
  const refusal = (field: string, code: string) => ({
    code: 'IMAGE_NOT_SCANNABLE',
    errors: [{ field, code }],
  });
  await t.rejects(drawScannableQrImage('a'.repeat(2954)), refusal('data', 'TOO_LONG'));
  await t.rejects(
    drawScannableQrImage('a'.repeat(2332), { errorCorrection: 'M' }),
    refusal('data', 'TOO_LONG'),
  );
  await t.rejects(drawScannableQrImage('a'.repeat(500), { size: 128 }), {
    ...refusal('design.size', 'TOO_SMALL'),
    message: /needs \d+ px/,
  });
});

t.test('a logo is in the middle, and the image still scans', async (t) => {
  const { png, design, adjusted } = await drawScannableQrImage(SCAN_URL, {
    logo: await createLogo('#cc0000'),
    size: 500,
  });
  t.same(adjusted, []);
  t.match(design.logo, /^data:image\/png;base64,/);
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const middle = (250 * 500 + 250) * info.channels;
  t.same([...data.subarray(middle, middle + 3)], [0xcc, 0, 0]);
});

t.test('a logo that hides too much shrinks before the symbol gets more modules', async (t) => {
  const logo = await createLogo('#000000');
  const smaller = await drawScannableQrImage(SCAN_URL, { logo, logoSize: 30, errorCorrection: 'L' });
  t.same(smaller.adjusted, [{ field: 'logoSize', from: 30, to: 15 }]);
  t.ok(await isQrCodeDecodableAs(smaller.png, SCAN_URL));
  const stronger = await drawScannableQrImage('a'.repeat(20), {
    logo,
    logoSize: 30,
    errorCorrection: 'L',
    size: 128,
  });
  t.ok(await isQrCodeDecodableAs(stronger.png, 'a'.repeat(20)));
  t.not(stronger.adjusted.length, 0);
});

t.test('a code with a logo is read small and blurred as often as one without', async (t) => {
  const logos = [await createLogo('#000000'), await createLogo('#cc0000')];
  const countReads = async (png: Buffer) => {
    const degraded = [
      ...[64, 80, 96, 112, 128].map((side) => sharp(png).resize(side, side)),
      ...[3, 4, 5, 6, 7, 8].map((sigma) => sharp(png).blur(sigma)),
    ];
    const texts = await Promise.all(
      degraded.map(async (image) => readWithJsqr(await image.png().toBuffer())),
    );
    return texts.filter((text) => text === SCAN_URL).length;
  };
  const plain = await countReads((await drawScannableQrImage(SCAN_URL)).png);
  t.ok(plain >= 8, `${plain} of 11`);
  for (const logo of logos)
    for (const design of [{}, { logoSize: 30 }, { logoSize: 30, errorCorrection: 'L' as const }]) {
      const { png } = await drawScannableQrImage(SCAN_URL, { logo, ...design });
      const reads = await countReads(png);
      t.ok(reads >= plain - 1, `${JSON.stringify(design)}: ${reads} of ${plain}`);
    }
});

t.test('draws a logo for content of any length, or says why it cannot', async (t) => {
  const logo = await createLogo('#224466');
  for (const bytes of [1, 20, 100, 400, 900, 1500, 2188]) {
    const content = 'b'.repeat(bytes);
    const { png } = await drawScannableQrImage(content, { logo, logoSize: 20 });
    t.ok(await isQrCodeDecodableAs(png, content), `${bytes} bytes`);
  }
  await t.rejects(drawScannableQrImage('b'.repeat(2189), { logo }), {
    code: 'IMAGE_NOT_SCANNABLE',
    errors: [{ field: 'data' }, { field: 'design.logo' }],
  });
});

t.test('rejects unscannable colors before drawing', async (t) => {
  await t.rejects(drawScannableQrImage(SCAN_URL, { foreground: '#eeeeee' }), { code: 'IMAGE_NOT_SCANNABLE' });
});
