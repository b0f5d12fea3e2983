import type { RasterPdf } from '../../../platform/pdf/pdf-rasterizer.ts';
import { isQrCodeDecodableAs } from '../../../platform/qr-image/decode-image.ts';
import type { PlacedLabel } from './label-document.ts';

/** Of label printers and of the usual office printers; a better one only helps. */
const DOTS_PER_INCH = 300;

/** What is printed around a symbol is decoded with it, so that a text in its quiet zone is noticed. */
const MARGIN_MILLIMETERS = 3;

/** Open a drawn sheet to decode its labels. */
export async function openLabelSheet(bytes: Uint8Array): Promise<RasterPdf> {
  // Loaded lazily: a sheet is drawn without it.
  const { openRasterPdf } = await import('../../../platform/pdf/pdf-rasterizer.ts');
  return openRasterPdf(bytes);
}

/** Rasterize labels, and find the first from which another content is decoded, or none; null if there is none. */
export async function findUnreadableLabel(
  pdf: RasterPdf,
  labels: readonly PlacedLabel[],
): Promise<PlacedLabel | null> {
  for (const label of labels) {
    const { x, y, width, height } = label.area;
    const image = pdf.draw(label.page, DOTS_PER_INCH, {
      x: x - MARGIN_MILLIMETERS,
      y: y - MARGIN_MILLIMETERS,
      width: width + 2 * MARGIN_MILLIMETERS,
      height: height + 2 * MARGIN_MILLIMETERS,
    });
    if (!(await isQrCodeDecodableAs(image, label.content))) return label;
  }
  return null;
}
