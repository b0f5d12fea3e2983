import type { PageArea, RasterPdf } from '../pdf/pdf-rasterizer.ts';
import { MILLIMETERS_PER_INCH } from '../pdf/pdf-units.ts';
import { isQrCodeDecodableAs } from './decode-image.ts';

/** Of label printers and of the usual office printers; a better one only helps. */
const PRINT_DOTS_PER_INCH = 300;

/** Bounds the memory of a large symbol; the largest version still has ten pixels a module. */
const MAX_SIDE_PIXELS = 2_000;

/** What is printed around a symbol is decoded with it, so that a text in its quiet zone is noticed. */
const MARGIN_MILLIMETERS = 3;

/** Where the symbol of a content is in a PDF. */
export interface PlacedQrSymbol {
  content: string;
  /** From 0. */
  page: number;
  /** With its quiet zone. */
  area: PageArea;
}

/** Open a drawn PDF to decode its symbols. Call it in a thread or a process. */
export async function openPdfToDecode(bytes: Uint8Array): Promise<RasterPdf> {
  // Loaded lazily: a PDF is drawn without it.
  const { openRasterPdf } = await import('../pdf/pdf-rasterizer.ts');
  return openRasterPdf(bytes);
}

/** Choose the resolution in which a symbol is decoded, by its longer side. */
export function chooseDecodingResolution(sideMillimeters: number): number {
  return Math.min(PRINT_DOTS_PER_INCH, MAX_SIDE_PIXELS / (sideMillimeters / MILLIMETERS_PER_INCH));
}

/** Rasterize symbols, and find the first from which another content is decoded, or none; null if there is none. */
export async function findUnreadableSymbol<Symbol extends PlacedQrSymbol>(
  pdf: RasterPdf,
  symbols: readonly Symbol[],
): Promise<Symbol | null> {
  for (const symbol of symbols) {
    const { x, y, width, height } = symbol.area;
    const area = {
      x: x - MARGIN_MILLIMETERS,
      y: y - MARGIN_MILLIMETERS,
      width: width + 2 * MARGIN_MILLIMETERS,
      height: height + 2 * MARGIN_MILLIMETERS,
    };
    const dotsPerInch = chooseDecodingResolution(Math.max(area.width, area.height));
    const image = pdf.draw(symbol.page, dotsPerInch, area);
    if (!(await isQrCodeDecodableAs(image, symbol.content))) return symbol;
  }
  return null;
}

/** Find the first symbol of a finished PDF that cannot be decoded, as `findUnreadableSymbol`. */
export async function findUnreadableSymbolOfPdf<Symbol extends PlacedQrSymbol>(
  bytes: Uint8Array,
  symbols: readonly Symbol[],
): Promise<Symbol | null> {
  const pdf = await openPdfToDecode(bytes);
  try {
    return await findUnreadableSymbol(pdf, symbols);
  } finally {
    pdf.close();
  }
}
