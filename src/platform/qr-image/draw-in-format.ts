import type { QrCodeDesign } from './design.schemas.ts';
import { drawDecodablePdf } from './draw-pdf.ts';
import { addPngCaption, drawQrCodePng } from './draw-png.ts';
import { drawQrCodeSvg } from './draw-svg.ts';
import { createImageCaption } from './image-caption.ts';
import { createQrSymbolMatrix } from './matrix.ts';

export type QrCodeImageFormat = 'png' | 'svg' | 'pdf';

export interface QrCodeImageOptions {
  /** Of a PDF: the width, in place of the size. */
  sideMillimeters?: number | undefined;
  /** Below the symbol: Latin letters and digits. The image is as much taller. */
  caption?: string | undefined;
}

/** Draw a design that has been drawn before. @throws IMAGE_NOT_SCANNABLE when too dense, or a PDF cannot be decoded */
export async function drawQrCodeInFormat(
  format: QrCodeImageFormat,
  content: string,
  design: QrCodeDesign,
  { sideMillimeters, caption: text }: QrCodeImageOptions = {},
): Promise<Uint8Array> {
  const matrix = createQrSymbolMatrix(content, design.errorCorrection, design.logo !== undefined);
  const caption = text ? await createImageCaption(text, design.size) : null;
  if (format === 'svg') return Buffer.from(drawQrCodeSvg(matrix, design, caption));
  if (format === 'pdf') return drawDecodablePdf(content, matrix, design, { sideMillimeters, caption });
  const png = await drawQrCodePng(matrix, design);
  return caption ? addPngCaption(png, design, caption) : png;
}
