import { create } from 'qrcode';
import { readBarcodes } from 'zxing-wasm/reader';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { completeQrCodeDesign } from '../../../src/platform/qr-image/design.rules.ts';
import { drawQrCodePng } from '../../../src/platform/qr-image/draw-png.ts';
import {
  createQrSymbolMatrix,
  describeQrContentShape,
  isWithinQrCapacity,
} from '../../../src/platform/qr-image/matrix.ts';
import { t } from '../../tap.ts';
import { readWithJsqr } from './read-with-jsqr.ts';

t.test('non-ASCII text is marked as UTF-8, so that no scanner has to guess', async (t) => {
  for (const text of ['Größe', 'é', '犬', 'ポチ 東京', 'مرحبا', '😀🐕‍🦺', '€100', '\ufeffx']) {
    const png = await drawQrCodePng(createQrSymbolMatrix(text, 'M', false), completeQrCodeDesign({}));
    t.ok(await isQrCodeDecodableAs(png, text), text);
    t.equal(await readWithJsqr(png), text);
    const [found] = await readBarcodes(new Uint8Array(png));
    t.equal(found?.hasECI, true, 'marked');
  }
  const png = await drawQrCodePng(
    createQrSymbolMatrix('https://example.com', 'M', false),
    completeQrCodeDesign({}),
  );
  const [found] = await readBarcodes(new Uint8Array(png));
  t.equal(found?.hasECI, false, 'ASCII needs no mark');
});

t.test('an image does not decode as another text', async (t) => {
  const png = await drawQrCodePng(createQrSymbolMatrix('Größe', 'M', false), completeQrCodeDesign({}));
  t.equal(await isQrCodeDecodableAs(png, 'Größ'), false);
  t.equal(await isQrCodeDecodableAs(png, 'Gro\u0308ße'), false, 'visually equal text is not equal');
});

t.test('the size limit is the capacity of the largest symbol', async (t) => {
  for (const [level, bytes, besideLogo] of [
    ['L', 2953, 2188],
    ['M', 2331, 1722],
    ['Q', 1663, 1228],
    ['H', 1273, 958],
  ] as const) {
    const full = 'a'.repeat(bytes);
    t.equal(createQrSymbolMatrix(full, level, false).size, 177);
    t.equal(isWithinQrCapacity(full, level, false), true);
    t.equal(isWithinQrCapacity(`${full}a`, level, false), false);
    t.throws(() => createQrSymbolMatrix(`${full}a`, level, false), {
      code: 'IMAGE_NOT_SCANNABLE',
      message: `${bytes + 1} bytes`,
    });
    t.throws(() => create([{ data: `${full}a` }], { errorCorrectionLevel: level }), 'the encoder agrees');
    t.equal(createQrSymbolMatrix('a'.repeat(besideLogo), level, true).size, 17 + 4 * 34);
    t.equal(isWithinQrCapacity('a'.repeat(besideLogo + 1), level, true), false);
    const maxContent = `${'a'.repeat(bytes - 3)}é`;
    t.equal(createQrSymbolMatrix(maxContent, level, false).size, 177, 'with the mark');
    t.equal(isWithinQrCapacity(`${maxContent}a`, level, false), false);
    t.equal(create([{ data: 'a'.repeat(besideLogo + 1) }], { errorCorrectionLevel: level }).version, 35);
  }
});

t.test('with a logo there is never a pattern in the middle', async (t) => {
  for (let bytes = 1; bytes <= 958; bytes += 12) {
    const { size, patterns } = createQrSymbolMatrix('a'.repeat(bytes), 'H', true);
    const middle = (size - 1) / 2;
    t.equal(patterns[middle * size + middle], 0, `${bytes} bytes`);
  }
});

t.test('contents of one shape have symbols of one size', async (t) => {
  const sizes = new Map<string, number>();
  for (const unit of ['7', 'A', ':', 'a', '#', 'é', '犬'])
    for (let length = 6; length <= 240; length += 6) {
      const content = unit.repeat(length / Buffer.byteLength(unit));
      const { size } = createQrSymbolMatrix(content, 'M', false);
      const shape = describeQrContentShape(content);
      t.equal(size, sizes.get(shape) ?? size, shape);
      sizes.set(shape, size);
    }
  t.equal(sizes.size, 160, 'digits, alphanumeric, other ASCII and UTF-8, of forty lengths');
});
