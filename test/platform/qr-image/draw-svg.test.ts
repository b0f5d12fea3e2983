import sharp from 'sharp';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { completeQrCodeDesign } from '../../../src/platform/qr-image/design.rules.ts';
import { drawQrCodeSvg } from '../../../src/platform/qr-image/draw-svg.ts';
import { createQrSymbolMatrix } from '../../../src/platform/qr-image/matrix.ts';
import { t } from '../../tap.ts';
import { createLogo } from './logo-helper.ts';

t.test('the SVG decodes to the content, also with colors and with a logo', async (t) => {
  const content = 'Grüße, 犬 😀';
  for (const input of [
    {},
    { foreground: '#102a43', background: '#fff8e1' },
    { logo: await createLogo('#aa2200') },
  ]) {
    const design = completeQrCodeDesign(input);
    const svg = drawQrCodeSvg(createQrSymbolMatrix(content, 'H', design.logo !== undefined), design);
    t.ok(await isQrCodeDecodableAs(await sharp(Buffer.from(svg)).png().toBuffer(), content));
    t.match(svg, 'width="512" height="512"');
    t.notMatch(svg, 'script');
  }
});
