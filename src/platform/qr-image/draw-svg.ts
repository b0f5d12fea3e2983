import type { QrCodeDesign } from './design.schemas.ts';
import { createSymbolLayout, generateBars, getLogoBox } from './layout.ts';
import type { SymbolMatrix } from './matrix.ts';

/** Draw a symbol as SVG; sanitize the logo first. @throws IMAGE_NOT_SCANNABLE when too dense */
export function drawSvg(matrix: SymbolMatrix, design: QrCodeDesign): string {
  const layout = createSymbolLayout(matrix, design);
  const { size, module, offset } = layout;
  const path = [...generateBars(matrix, layout)]
    .map(({ row, column, length }) => {
      const width = length * module;
      return `M${offset + column * module} ${offset + row * module}h${width}v${module}h-${width}z`;
    })
    .join('');
  const box = getLogoBox(layout);
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
