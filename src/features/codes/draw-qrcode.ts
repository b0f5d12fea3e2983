import type { QrCodeDesign, QrCodeDesignInput } from '../../platform/qr-image/design.schemas.ts';
import type { QrCodeImageFormat, QrCodeImageOptions } from '../../platform/qr-image/draw-in-format.ts';
import {
  checkScannableDesign,
  enqueueQrImageInFormat,
  enqueueScannableQrImage,
  type ScannableDesign,
} from '../../platform/qr-image/enqueue-qr-drawing.ts';
import { decodeLogoDataUrl } from '../../platform/qr-image/logo-data-url.ts';
import { decryptQrCodeData } from './encrypted-content.ts';
import type { QrCodeKindDefinition } from './kinds/kind-definition.ts';
import type { QrCodeRow } from './qrcode.repository.ts';
import { getQrCodeKindByName, getQrCodeScanUrl, type QrCodeViewContext } from './qrcode.view.ts';
import { createStaticQrCodeContent, parseQrCodeMode, type QrCodeInput } from './qrcode-input.rules.ts';
import { parseFieldVisibilities } from './visibility.rules.ts';

export const QR_CODE_IMAGE_CONTENT_TYPES: Record<QrCodeImageFormat, string> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
};

export interface CheckedQrCodeDesign {
  design: Record<string, unknown>;
  logo: Buffer<ArrayBuffer> | null;
  adjusted: Record<string, unknown>[];
}

export interface DrawnQrCode extends CheckedQrCodeDesign {
  png: Buffer;
}

/** The URL of the page, or the content itself for STATIC. */
export function getQrCodePayload(
  { publicBaseUrl }: { publicBaseUrl: string },
  id: string,
  kind: QrCodeKindDefinition,
  code: Pick<QrCodeInput, 'mode' | 'title' | 'data' | 'visibility'>,
): string {
  if (code.mode === 'DYNAMIC') return getQrCodeScanUrl(publicBaseUrl, id);
  const content = createStaticQrCodeContent(kind, code);
  if (content === null) throw new Error('A static code has no content.');
  return content;
}

/** @throws DATA_INTEGRITY */
export function getQrCodeRowPayload(context: QrCodeViewContext, row: QrCodeRow): string {
  const mode = parseQrCodeMode(row.mode);
  const data = mode === 'STATIC' ? decryptQrCodeData(context.fieldCipher, row) : {};
  const visibility = parseFieldVisibilities(row.visibility);
  return getQrCodePayload(context, row.id, getQrCodeKindByName(row.kind), {
    mode,
    title: row.title,
    data,
    visibility,
  });
}

/** Verify that the image scans. @throws as `enqueueScannableQrImage` */
export async function drawQrCode(
  accountId: string,
  content: string,
  designInput: QrCodeDesignInput,
): Promise<DrawnQrCode> {
  const { png, ...checked } = await enqueueScannableQrImage(accountId, content, designInput);
  return { png, ...toDesignColumns(checked) };
}

/** Check that an image of the design scans, without keeping one. @throws as `checkScannableDesign` */
export async function checkQrCodeDesign(
  accountId: string,
  content: string,
  designInput: QrCodeDesignInput,
): Promise<CheckedQrCodeDesign> {
  return toDesignColumns(await checkScannableDesign(accountId, content, designInput));
}

function toDesignColumns({ design: { logo, ...design }, adjusted }: ScannableDesign): CheckedQrCodeDesign {
  return { design, logo: logo ? Buffer.from(decodeLogoDataUrl(logo)) : null, adjusted: [...adjusted] };
}

/** @throws as `enqueueQrImageInFormat` */
export function drawQrCodeInFormat(
  accountId: string,
  format: QrCodeImageFormat,
  content: string,
  design: QrCodeDesign,
  options?: QrCodeImageOptions,
): Promise<Buffer> {
  return enqueueQrImageInFormat(accountId, format, content, design, options);
}
