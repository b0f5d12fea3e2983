import type { FastifyReply } from 'fastify';
import type { Database } from '../../platform/database.ts';
import type { QrCodeImageFormat } from '../../platform/qr-image/draw-in-format.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { drawQrCodeInFormat, getQrCodeRowPayload, QR_CODE_IMAGE_CONTENT_TYPES } from './draw-qrcode.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import { getQrCodeDesign, type QrCodeViewContext } from './qrcode.view.ts';
import { readOwnQrCode } from './read-own-qrcode.ts';
import { formatShortNumber } from './short-number.rules.ts';

export interface QrCodeImage {
  bytes: Buffer;
  contentType: string;
  fileName: string;
}

export interface OwnQrCodeImageOptions {
  /** Of a PDF: the width, in place of the size. */
  sideMillimeters?: number | undefined;
  /** Print the short number below the symbol, if the code has one. */
  hasShortNumber?: boolean | undefined;
}

/** Draw the image of a code in its current design. @throws NOT_FOUND, BUSY, DATA_INTEGRITY */
export async function readOwnQrCodeImage(
  services: QrCodeViewContext & { database: Database },
  context: RequestContext,
  owned: OwnedQrCodeId,
  format: QrCodeImageFormat,
  { sideMillimeters, hasShortNumber = false }: OwnQrCodeImageOptions = {},
): Promise<QrCodeImage> {
  const { content, design, slug, number } = await readOwnQrCode(
    services.database,
    context,
    owned,
    (row) => ({
      content: getQrCodeRowPayload(services, row),
      design: getQrCodeDesign(row),
      slug: row.slug,
      number: row.shortNumber?.number,
    }),
    // The image of a DYNAMIC code encodes a URL only, so it is not medical content.
    ({ mode }) => mode === 'STATIC',
  );
  const caption = hasShortNumber && number ? formatShortNumber(number) : undefined;
  return {
    bytes: await drawQrCodeInFormat(owned.accountId, format, content, design, { sideMillimeters, caption }),
    contentType: QR_CODE_IMAGE_CONTENT_TYPES[format],
    fileName: `${slug}.${format}`,
  };
}

/** Send the image of a code, to show or to save. */
export function sendQrCodeImage(
  reply: FastifyReply,
  { bytes, contentType, fileName }: QrCodeImage,
  disposition: 'inline' | 'attachment',
): FastifyReply {
  return reply
    .type(contentType)
    .header('Content-Disposition', `${disposition}; filename="${fileName}"`)
    .header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    )
    .send(bytes);
}
