import type { QrCodeDesign } from './design.schemas.ts';
import { drawQrCodePdf } from './draw-pdf.ts';
import { drawQrCodePng } from './draw-png.ts';
import { drawQrCodeSvg } from './draw-svg.ts';
import { createQrSymbolMatrix } from './matrix.ts';

export type QrCodeImageFormat = 'png' | 'svg' | 'pdf';

/** Draw a design that has been drawn before; of a PDF, `sideMillimeters` replaces the size. @throws IMAGE_NOT_SCANNABLE when too dense */
export async function drawQrCodeInFormat(
  format: QrCodeImageFormat,
  content: string,
  design: QrCodeDesign,
  sideMillimeters?: number,
): Promise<Uint8Array> {
  const matrix = createQrSymbolMatrix(content, design.errorCorrection, design.logo !== undefined);
  if (format === 'svg') return Buffer.from(drawQrCodeSvg(matrix, design));
  if (format === 'pdf') return drawQrCodePdf(matrix, design, sideMillimeters);
  return drawQrCodePng(matrix, design);
}
