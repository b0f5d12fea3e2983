import type { QrCodeDesign } from './design.schemas.ts';
import { createSymbolLayout, generateBars, getLogoBox } from './layout.ts';
import { decodeLogo } from './logo.ts';
import type { SymbolMatrix } from './matrix.ts';

/** CSS has 96 px an inch, PDF 72 points. */
const POINTS_PER_PIXEL = 0.75;

/**
 * Draws a symbol as PDF: vectors on a page of the image's size, 96 px an inch. The logo must have gone through
 * `cleanLogo`. Throws IMAGE_NOT_SCANNABLE where it is too dense.
 */
export async function drawPdf(matrix: SymbolMatrix, design: QrCodeDesign): Promise<Buffer> {
  const layout = createSymbolLayout(matrix, design);
  // Loaded when the first PDF is asked for: it takes longer than everything else a start does with images.
  const { default: PDFDocument } = await import('pdfkit');
  const side = layout.size * POINTS_PER_PIXEL;
  const page = new PDFDocument({ size: [side, side], margin: 0, info: { Title: 'QR code' } });
  page.scale(POINTS_PER_PIXEL);
  page.rect(0, 0, layout.size, layout.size).fill(design.background);
  const { module, offset } = layout;
  for (const { row, column, length } of generateBars(matrix, layout))
    page.rect(offset + column * module, offset + row * module, length * module, module);
  page.fill(design.foreground);
  const box = getLogoBox(layout);
  if (box !== null && design.logo !== undefined)
    page.image(decodeLogo(design.logo), box.start, box.start, {
      fit: [box.side, box.side],
      align: 'center',
      valign: 'center',
    });
  page.end();
  const chunks: Buffer[] = [];
  for await (const chunk of page) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
