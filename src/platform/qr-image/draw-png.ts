import sharp, { type Sharp } from 'sharp';
import { parseHexColor } from '../../shared/color-contrast.ts';
import type { QrCodeDesign } from './design.schemas.ts';
import type { ImageCaption } from './image-caption.ts';
import { createQrSymbolLayout, getLogoPixelArea, isQrModuleDrawn, type QrSymbolLayout } from './layout.ts';
import { decodeLogoDataUrl } from './logo-data-url.ts';
import type { QrSymbolMatrix } from './matrix.ts';

type Pixel = readonly number[];

/** Draw a symbol as PNG; sanitize the logo first. @throws IMAGE_NOT_SCANNABLE when too dense */
export async function drawQrCodePng(matrix: QrSymbolMatrix, design: QrCodeDesign): Promise<Buffer> {
  const layout = createQrSymbolLayout(matrix, design);
  const [dark, light] = [parseHexColor(design.foreground), parseHexColor(design.background)];
  const box = getLogoPixelArea(layout);
  if (box === null || design.logo === undefined) {
    const isGrey = [dark, light].every(([red, green, blue]) => red === green && green === blue);
    return isGrey
      ? drawGrey(matrix, layout, dark, light)
      : createColorImage(matrix, layout, dark, light).png().toBuffer();
  }
  const logo = await sharp(decodeLogoDataUrl(design.logo))
    .resize(box.side, box.side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer();
  return createColorImage(matrix, layout, dark, light)
    .composite([{ input: logo, left: box.start, top: box.start }])
    .png()
    .toBuffer();
}

/** Add a caption below a drawn image. */
export async function addPngCaption(
  png: Buffer,
  { size, foreground, background }: QrCodeDesign,
  { path, height }: ImageCaption,
): Promise<Buffer> {
  const line = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${height}" viewBox="0 ${size} ${size} ${height}"><rect y="${size}" width="${size}" height="${height}" fill="${background}"/><path fill="${foreground}" d="${path}"/></svg>`;
  const taller = await sharp(png).extend({ bottom: height, background }).png().toBuffer();
  return sharp(taller)
    .composite([{ input: Buffer.from(line), left: 0, top: size }])
    .png()
    .toBuffer();
}

/** One channel instead of three halves the file. */
function drawGrey(
  matrix: QrSymbolMatrix,
  layout: QrSymbolLayout,
  dark: Pixel,
  light: Pixel,
): Promise<Buffer> {
  const raw = { width: layout.size, height: layout.size, channels: 1 } as const;
  return sharp(drawPixels(matrix, layout, dark.slice(0, 1), light.slice(0, 1)), { raw })
    .toColourspace('b-w')
    .png()
    .toBuffer();
}

function createColorImage(matrix: QrSymbolMatrix, layout: QrSymbolLayout, dark: Pixel, light: Pixel): Sharp {
  const raw = { width: layout.size, height: layout.size, channels: 3 } as const;
  return sharp(drawPixels(matrix, layout, dark, light), { raw });
}

function drawPixels(matrix: QrSymbolMatrix, layout: QrSymbolLayout, dark: Pixel, light: Pixel): Buffer {
  const { size, module, offset } = layout;
  const stride = size * light.length;
  const image = Buffer.alloc(stride * size, Buffer.from(light));
  const bar = Buffer.alloc(module * dark.length, Buffer.from(dark));
  for (let row = 0; row < matrix.size; row += 1) {
    const first = (offset + row * module) * stride;
    for (let column = 0; column < matrix.size; column += 1)
      if (isQrModuleDrawn(matrix, layout, row, column))
        bar.copy(image, first + (offset + column * module) * light.length);
    for (let copy = 1; copy < module; copy += 1)
      image.copyWithin(first + copy * stride, first, first + stride);
  }
  return image;
}
