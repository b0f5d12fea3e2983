import type { Design, DesignInput } from './image/design.schemas.ts';
import { drawChecked } from './image/draw-checked.ts';
import { drawPdf } from './image/draw-pdf.ts';
import { drawPng } from './image/draw-png.ts';
import { drawSvg } from './image/draw-svg.ts';
import { logoBytes } from './image/logo.ts';
import { matrixOf } from './image/matrix.ts';

export type ImageFormat = 'png' | 'svg' | 'pdf';

export const IMAGE_TYPES: Record<ImageFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
};

/** An image that was read back, and its design in the form of the table: the logo apart. */
export interface DrawnQrCode {
  png: Buffer;
  design: Record<string, unknown>;
  logo: Buffer<ArrayBuffer> | null;
  adjusted: Record<string, unknown>[];
}

/** Draws and reads back; throws what `drawChecked` throws. */
export async function drawQrCode(content: string, given: DesignInput): Promise<DrawnQrCode> {
  const { png, design, adjusted } = await drawChecked(content, given);
  const { logo, ...rest } = design;
  return { png, design: rest, logo: logo ? Buffer.from(logoBytes(logo)) : null, adjusted: [...adjusted] };
}

/** Draws content in a format, by a design that was read back before. */
export async function drawAs(format: ImageFormat, content: string, design: Design): Promise<Buffer | string> {
  const matrix = matrixOf(content, design.errorCorrection, design.logo !== undefined);
  if (format === 'svg') return drawSvg(matrix, design);
  if (format === 'pdf') return drawPdf(matrix, design);
  return drawPng(matrix, design);
}
