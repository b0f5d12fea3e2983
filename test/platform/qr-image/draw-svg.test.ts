import sharp from 'sharp';
import { isDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { completeDesign } from '../../../src/platform/qr-image/design.rules.ts';
import { drawSvg } from '../../../src/platform/qr-image/draw-svg.ts';
import { createSymbolMatrix } from '../../../src/platform/qr-image/matrix.ts';
import { t } from '../../tap.ts';
import { createLogo } from './logo-helper.ts';

t.test('the SVG decodes to the content, also with colors and with a logo', async (t) => {
  const content = 'Grüße, 犬 😀';
  for (const input of [
    {},
    { foreground: '#102a43', background: '#fff8e1' },
    { logo: await createLogo('#aa2200') },
  ]) {
    const design = completeDesign(input);
    const svg = drawSvg(createSymbolMatrix(content, 'H', design.logo !== undefined), design);
    t.ok(await isDecodableAs(await sharp(Buffer.from(svg)).png().toBuffer(), content));
    t.match(svg, 'width="512" height="512"');
    t.notMatch(svg, 'script');
  }
});
