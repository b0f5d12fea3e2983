import type { QrCodeDesign, QrCodeDesignInput } from '../../platform/qr-image/design.schemas.ts';
import { drawQrCodePdf } from '../../platform/qr-image/draw-pdf.ts';
import { drawQrCodePng } from '../../platform/qr-image/draw-png.ts';
import { drawScannableQrImage } from '../../platform/qr-image/draw-scannable.ts';
import { drawQrCodeSvg } from '../../platform/qr-image/draw-svg.ts';
import { decodeLogoDataUrl } from '../../platform/qr-image/logo.ts';
import { createQrSymbolMatrix } from '../../platform/qr-image/matrix.ts';
import { decryptQrCodeData } from './encrypted-content.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import type { QrCodeRow } from './qrcode.repository.ts';
import { getQrCodeKind, getScanUrl, type QrCodeViewContext } from './qrcode.view.ts';
import { createStaticContent, parseQrCodeMode, type QrCodeInput } from './qrcode-input.rules.ts';
import { parseVisibility } from './visibility.rules.ts';

export type ImageFormat = 'png' | 'svg' | 'pdf';

export const IMAGE_CONTENT_TYPES: Record<ImageFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
};

export interface DrawnQrCode {
  png: Buffer;
  design: Record<string, unknown>;
  logo: Buffer<ArrayBuffer> | null;
  adjusted: Record<string, unknown>[];
}

/** The URL of the page, or the content itself for STATIC. */
export function getImageContent(
  { publicBaseUrl }: { publicBaseUrl: string },
  id: string,
  kind: KindDefinition,
  code: Pick<QrCodeInput, 'mode' | 'title' | 'data' | 'visibility'>,
): string {
  if (code.mode === 'DYNAMIC') return getScanUrl(publicBaseUrl, id);
  const content = createStaticContent(kind, code);
  if (content === null) throw new Error('A static code has no content.');
  return content;
}

/** @throws DATA_INTEGRITY */
export function getStoredImageContent(context: QrCodeViewContext, row: QrCodeRow): string {
  const mode = parseQrCodeMode(row.mode);
  const data = mode === 'STATIC' ? decryptQrCodeData(context.fieldCipher, row) : {};
  const visibility = parseVisibility(row.visibility);
  return getImageContent(context, row.id, getQrCodeKind(row.kind), {
    mode,
    title: row.title,
    data,
    visibility,
  });
}

/** Verify that the image scans. @throws as `drawScannableQrImage` */
export async function drawQrCode(content: string, designInput: QrCodeDesignInput): Promise<DrawnQrCode> {
  const { png, design, adjusted } = await drawScannableQrImage(content, designInput);
  const { logo, ...rest } = design;
  return {
    png,
    design: rest,
    logo: logo ? Buffer.from(decodeLogoDataUrl(logo)) : null,
    adjusted: [...adjusted],
  };
}

export async function drawInFormat(
  format: ImageFormat,
  content: string,
  design: QrCodeDesign,
): Promise<Buffer | string> {
  const matrix = createQrSymbolMatrix(content, design.errorCorrection, design.logo !== undefined);
  if (format === 'svg') return drawQrCodeSvg(matrix, design);
  if (format === 'pdf') return drawQrCodePdf(matrix, design);
  return drawQrCodePng(matrix, design);
}
