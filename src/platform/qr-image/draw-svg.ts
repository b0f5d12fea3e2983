import type { QrCodeDesign } from './design.schemas.ts';
import { createQrSymbolLayout, generateBars, getLogoPixelArea } from './layout.ts';
import type { QrSymbolMatrix } from './matrix.ts';

/** Draw a symbol as SVG; sanitize the logo first. @throws IMAGE_NOT_SCANNABLE when too dense */
export function drawQrCodeSvg(matrix: QrSymbolMatrix, design: QrCodeDesign): string {
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
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="${design.background}"/>` +
    `<path fill="${design.foreground}" d="${path}"/>${logo}</svg>`
  );
}
