import sharp from 'sharp';
import { openRasterPdf } from '../../../src/platform/pdf/pdf-rasterizer.ts';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { completeQrCodeDesign } from '../../../src/platform/qr-image/design.rules.ts';
import { drawQrCodeInFormat } from '../../../src/platform/qr-image/draw-in-format.ts';
import { createImageCaption } from '../../../src/platform/qr-image/image-caption.ts';
import { t } from '../../tap.ts';
import { createLogo } from './logo-helper.ts';

const CONTENT = 'https://qr.example.org/s/6b0a1e01c791da33f45c4cbd';
const CAPTION = '7K3M-9QXR-2F4T';

/** The share of pixels below the symbol that are dark. */
async function measureInk(image: Buffer, width: number): Promise<number> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
  const below = data.subarray(width * info.width * info.channels);
  return below.filter((value) => value < 128).length / below.length;
}

t.test('a caption stands below the symbol, which scans as before', async (t) => {
  for (const input of [
    {},
    { foreground: '#102a43', background: '#fff8e1', size: 700 },
    { logo: await createLogo('#aa2200') },
  ]) {
    const design = completeQrCodeDesign(input);
    const { height } = await createImageCaption(CAPTION, design.size);
    for (const format of ['png', 'svg'] as const) {
      const drawn = await drawQrCodeInFormat(format, CONTENT, design, { caption: CAPTION });
      const image = await sharp(drawn).png().toBuffer();
      const meta = await sharp(image).metadata();
      t.same([meta.width, meta.height], [design.size, design.size + height], format);
      t.ok(await isQrCodeDecodableAs(image, CONTENT), format);
      const ink = await measureInk(image, design.size);
      t.ok(ink > 0.1 && ink < 0.5, `${format}: ${ink}`);
      const plain = await drawQrCodeInFormat(format, CONTENT, design);
      const { height: plainHeight } = await sharp(plain).metadata();
      t.equal(plainHeight, design.size, 'without one the image is as it was');
    }
  }
});

t.test('a PDF keeps the width in millimeters and has outlines only', async (t) => {
  const design = completeQrCodeDesign({ size: 400 });
  const { height } = await createImageCaption(CAPTION, design.size);
  const options = { caption: CAPTION, sideMillimeters: 25.4 };
  const pdf = Buffer.from(await drawQrCodeInFormat('pdf', CONTENT, design, options));
  const [, width, tall] = /MediaBox \[0 0 (\S+) (\S+)\]/.exec(pdf.toString('latin1')) ?? [];
  t.equal(Number(width), 72);
  t.equal(Number(tall).toFixed(2), ((72 * (400 + height)) / 400).toFixed(2));
  t.notMatch(pdf.toString('latin1'), '/Type /Font', 'no font that a printer may lack');
  const raster = await openRasterPdf(pdf);
  t.ok(await isQrCodeDecodableAs(raster.draw(0, 300), CONTENT));
  raster.close();
});

t.test('every text has the same height, and none is wider than the image', async (t) => {
  const width = 1000;
  for (const text of [CAPTION, '1111-1111-1111', 'WWWW-WWWW-WWWW']) {
    const caption = await createImageCaption(text, width);
    t.equal(caption.height, 114, text);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1114"><rect width="1000" height="1114" fill="#fff"/><path d="${caption.path}"/></svg>`;
    const { info } = await sharp(Buffer.from(svg)).trim().png().toBuffer({ resolveWithObject: true });
    const [left, top] = [-(info.trimOffsetLeft ?? 0), -(info.trimOffsetTop ?? 0)];
    t.ok(info.width > 400 && info.width <= 920, `${text}: ${info.width}`);
    t.ok(Math.abs(left + info.width / 2 - 500) < 10, `${text}: centered`);
    t.ok(top >= width && top + info.height < 1114, `${text}: below the quiet zone`);
  }
  const other = await createImageCaption('7K3M-9QXR-2F4V', width);
  t.not((await createImageCaption(CAPTION, width)).path, other.path);
});
