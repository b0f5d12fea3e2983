import type { QrCodeDesign } from './design.schemas.ts';
import type { ImageCaption } from './image-caption.ts';
import { createQrSymbolLayout, generateBars, getLogoPixelArea } from './layout.ts';
import type { QrSymbolMatrix } from './matrix.ts';

/** Draw a symbol as SVG; sanitize the logo first. @throws IMAGE_NOT_SCANNABLE when too dense */
export function drawQrCodeSvg(
  matrix: QrSymbolMatrix,
  design: QrCodeDesign,
  caption: ImageCaption | null = null,
): string {
  const layout = createQrSymbolLayout(matrix, design);
  const { size, module, offset } = layout;
  const path = [...generateBars(matrix, layout)]
    .map(({ row, column, length }) => {
      const width = length * module;
      return `M${offset + column * module} ${offset + row * module}h${width}v${module}h-${width}z`;
    })
    .join('');
  const box = getLogoPixelArea(layout);
  const logo =
    box === null
      ? ''
      : `<image x="${box.start}" y="${box.start}" width="${box.side}" height="${box.side}" href="${design.logo}"/>`;
  const height = size + (caption?.height ?? 0);
  const text = caption
    ? `<path fill="${design.foreground}" shape-rendering="auto" d="${caption.path}"/>`
    : '';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${height}" viewBox="0 0 ${size} ${height}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${height}" fill="${design.background}"/>` +
    `<path fill="${design.foreground}" d="${path}"/>${logo}${text}</svg>`
  );
}
