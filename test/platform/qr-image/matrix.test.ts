import { create } from 'qrcode';
import { readBarcodes } from 'zxing-wasm/reader';
import { isDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { completeDesign } from '../../../src/platform/qr-image/design.rules.ts';
import { drawPng } from '../../../src/platform/qr-image/draw-png.ts';
import { createSymbolMatrix, isWithinCapacity } from '../../../src/platform/qr-image/matrix.ts';
import { t } from '../../tap.ts';
import { readWithJsqr } from './read-with-jsqr.ts';

t.test('non-ASCII text is marked as UTF-8, so that no scanner has to guess', async (t) => {
  for (const text of ['Größe', 'é', '犬', 'ポチ 東京', 'مرحبا', '😀🐕‍🦺', '€100', '\ufeffx']) {
    const png = await drawPng(createSymbolMatrix(text, 'M', false), completeDesign({}));
    t.ok(await isDecodableAs(png, text), text);
    t.equal(await readWithJsqr(png), text);
    const [found] = await readBarcodes(new Uint8Array(png));
    t.equal(found?.hasECI, true, 'marked');
  }
  const png = await drawPng(createSymbolMatrix('https://example.com', 'M', false), completeDesign({}));
  const [found] = await readBarcodes(new Uint8Array(png));
  t.equal(found?.hasECI, false, 'ASCII needs no mark');
});

t.test('an image does not decode as another text', async (t) => {
  const png = await drawPng(createSymbolMatrix('Größe', 'M', false), completeDesign({}));
  t.equal(await isDecodableAs(png, 'Größ'), false);
  t.equal(await isDecodableAs(png, 'Gro\u0308ße'), false, 'visually equal text is not equal');
});

t.test('the size limit is the capacity of the largest symbol', async (t) => {
  for (const [level, bytes, besideLogo] of [
    ['L', 2953, 2188],
    ['M', 2331, 1722],
    ['Q', 1663, 1228],
    ['H', 1273, 958],
  ] as const) {
    const full = 'a'.repeat(bytes);
    t.equal(createSymbolMatrix(full, level, false).size, 177);
    t.equal(isWithinCapacity(full, level, false), true);
    t.equal(isWithinCapacity(`${full}a`, level, false), false);
    t.throws(() => createSymbolMatrix(`${full}a`, level, false), {
      code: 'IMAGE_NOT_SCANNABLE',
      message: `${bytes + 1} bytes`,
    });
    t.throws(() => create([{ data: `${full}a` }], { errorCorrectionLevel: level }), 'the encoder agrees');
    t.equal(createSymbolMatrix('a'.repeat(besideLogo), level, true).size, 17 + 4 * 34);
    t.equal(isWithinCapacity('a'.repeat(besideLogo + 1), level, true), false);
    const maxContent = `${'a'.repeat(bytes - 3)}é`;
    t.equal(createSymbolMatrix(maxContent, level, false).size, 177, 'with the mark');
    t.equal(isWithinCapacity(`${maxContent}a`, level, false), false);
    t.equal(create([{ data: 'a'.repeat(besideLogo + 1) }], { errorCorrectionLevel: level }).version, 35);
  }
});

t.test('with a logo there is never a pattern in the middle', async (t) => {
  for (let bytes = 1; bytes <= 958; bytes += 12) {
    const { size, patterns } = createSymbolMatrix('a'.repeat(bytes), 'H', true);
    const middle = (size - 1) / 2;
    t.equal(patterns[middle * size + middle], 0, `${bytes} bytes`);
  }
});
