import { toMillimeters, toPoints } from '../pdf/pdf-units.ts';
import { chooseDecodingResolution, findUnreadableSymbolOfPdf } from './decode-pdf.ts';
import type { QrCodeDesign } from './design.schemas.ts';
import type { ImageCaption } from './image-caption.ts';
import { createQrSymbolLayout, generateBars, getLogoPixelArea } from './layout.ts';
import { decodeLogoDataUrl } from './logo-data-url.ts';
import type { QrSymbolMatrix } from './matrix.ts';
import { createImageNotScannableError } from './not-scannable-error.ts';

/** CSS: 96 px per inch; PDF: 72 points per inch. */
const POINTS_PER_PIXEL = 0.75;

interface PdfImageOptions {
  sideMillimeters?: number | undefined;
  caption?: ImageCaption | null;
}

/**
 * Draw a symbol as PDF, at 96 px per inch or with a width in millimeters; sanitize the logo first.
 * @throws IMAGE_NOT_SCANNABLE when too dense
 */
export async function drawQrCodePdf(
  matrix: QrSymbolMatrix,
  design: QrCodeDesign,
  { sideMillimeters, caption = null }: PdfImageOptions = {},
): Promise<Buffer> {
  const layout = createQrSymbolLayout(matrix, design);
  // Loaded lazily: it takes longer than all other image code.
  const { PDFDocument } = await import('../pdf-library.ts');
  const side = sideMillimeters ? toPoints(sideMillimeters) : getPdfSide(layout);
  const scale = side / layout.size;
  const height = layout.size + (caption?.height ?? 0);
  const size: [number, number] = [side, height * scale];
  const page = new PDFDocument({ size, margin: 0, font: '', info: { Title: 'QR code' } });
  page.scale(scale);
  page.rect(0, 0, layout.size, height).fill(design.background);
  const { module, offset } = layout;
  for (const { row, column, length } of generateBars(matrix, layout))
    page.rect(offset + column * module, offset + row * module, length * module, module);
  page.fill(design.foreground);
  if (caption) page.path(caption.path).fill(design.foreground);
  const box = getLogoPixelArea(layout);
  if (box !== null && design.logo !== undefined)
    page.image(decodeLogoDataUrl(design.logo), box.start, box.start, {
      fit: [box.side, box.side],
      align: 'center',
      valign: 'center',
    });
  page.end();
  const chunks: Buffer[] = [];
  for await (const chunk of page) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/**
 * Draw a symbol as `drawQrCodePdf`, and decode it as it is printed.
 * @throws IMAGE_NOT_SCANNABLE when too dense for its size on paper
 */
export async function drawDecodablePdf(
  content: string,
  matrix: QrSymbolMatrix,
  design: QrCodeDesign,
  options: PdfImageOptions = {},
): Promise<Buffer> {
  const pdf = await drawQrCodePdf(matrix, design, options);
  const side = options.sideMillimeters ?? toMillimeters(getPdfSide(createQrSymbolLayout(matrix, design)));
  const symbol = { content, page: 0, area: { x: 0, y: 0, width: side, height: side } };
  if ((await findUnreadableSymbolOfPdf(pdf, [symbol])) === null) return pdf;
  throw createImageNotScannableError(
    `The code could not be decoded from its PDF, ${Math.round(side)} mm wide, at ${Math.floor(chooseDecodingResolution(side))} dpi. Choose a larger size or shorter content.`,
    ['design.size'],
    'TOO_SMALL',
  );
}

function getPdfSide({ size }: { size: number }): number {
  return size * POINTS_PER_PIXEL;
}
