import { openData } from './encrypted-content.ts';
import type { Design, DesignInput } from './image/design.schemas.ts';
import { drawPdf } from './image/draw-pdf.ts';
import { drawPng } from './image/draw-png.ts';
import { drawScannable } from './image/draw-scannable.ts';
import { drawSvg } from './image/draw-svg.ts';
import { logoBytes } from './image/logo.ts';
import { matrixOf } from './image/matrix.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import type { QrCodeRow } from './qrcode.repository.ts';
import { kindOf, type QrCodeViewContext, scanUrlOf } from './qrcode.view.ts';
import { modeNamed, type QrCodeInput, staticContent } from './qrcode-input.rules.ts';
import { givenVisibility } from './visibility.rules.ts';

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

/** What the image of a code holds: the address of its page, or for STATIC the content itself. */
export function contentOf(
  { publicBaseUrl }: { publicBaseUrl: string },
  id: string,
  kind: KindDefinition,
  code: Pick<QrCodeInput, 'mode' | 'title' | 'data' | 'visibility'>,
): string {
  if (code.mode === 'DYNAMIC') return scanUrlOf(publicBaseUrl, id);
  const content = staticContent(kind, code);
  if (content === null) throw new Error('A static code has nothing to print.');
  return content;
}

/** What the image of a stored code holds. Throws DATA_INTEGRITY when the row was altered. */
export function contentOfRow(context: QrCodeViewContext, row: QrCodeRow): string {
  const mode = modeNamed(row.mode);
  const data = mode === 'STATIC' ? openData(context.fieldCipher, row) : {};
  const visibility = givenVisibility(row.visibility);
  return contentOf(context, row.id, kindOf(row.kind), { mode, title: row.title, data, visibility });
}

/** Draws and reads back; throws what `drawScannable` throws. */
export async function drawQrCode(content: string, given: DesignInput): Promise<DrawnQrCode> {
  const { png, design, adjusted } = await drawScannable(content, given);
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
