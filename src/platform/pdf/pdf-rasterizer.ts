import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { MILLIMETERS_PER_INCH, POINTS_PER_INCH } from './pdf-units.ts';

const WASM_PATH = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');

/** Pixels with four bytes each: red, green, blue, alpha. */
export interface RasterImage {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** Of a page, in millimeters from its left upper corner. */
export interface PageArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A PDF whose pages are drawn as PDFium, and so Chrome, prints them. Close it: it takes memory outside the heap. */
export interface RasterPdf {
  readonly pages: number;
  /** Draw a part of a page, from 0, or all of it. What lies beyond the page is left out. */
  draw(page: number, dotsPerInch: number, area?: PageArea): RasterImage;
  close(): void;
}

/** `FPDFBitmap_BGRx`; FLAGS has the bytes in the order of `RasterImage`. */
const BITMAP_FORMAT = 3;

/** `FPDF_PRINTING | FPDF_REVERSE_BYTE_ORDER` */
const FLAGS = 0x800 | 0x10;

const WHITE = 0xffffffff;

let loading: Promise<WrappedPdfiumModule> | null = null;

/** Open a PDF to draw its pages. Call it in a thread or a process: drawing blocks. @throws Error if it is no PDF */
export async function openRasterPdf(bytes: Uint8Array): Promise<RasterPdf> {
  loading ??= loadPdfium();
  const library = await loading;
  const { malloc, free } = library.pdfium.wasmExports;
  const address = malloc(bytes.length);
  library.pdfium.HEAPU8.set(bytes, address);
  const document = library.FPDF_LoadMemDocument(address, bytes.length, '');
  if (document === 0) {
    free(address);
    throw new Error('This is not a PDF.');
  }
  let open: { index: number; page: number } | null = null;

  return {
    pages: library.FPDF_GetPageCount(document),
    draw(index, dotsPerInch, area) {
      if (open?.index !== index) {
        closePage();
        const page = library.FPDF_LoadPage(document, index);
        if (page === 0) throw new RangeError(`There is no page ${index}.`);
        open = { index, page };
      }
      return drawArea(library, open.page, dotsPerInch, area);
    },
    close() {
      closePage();
      library.FPDF_CloseDocument(document);
      free(address);
    },
  };

  /** Only the last page stays parsed. */
  function closePage(): void {
    if (open) library.FPDF_ClosePage(open.page);
    open = null;
  }
}

/** Reads the WebAssembly from the package; the library would download it from a public host. */
async function loadPdfium(): Promise<WrappedPdfiumModule> {
  const library = await init({ wasmBinary: Uint8Array.from(readFileSync(WASM_PATH)).buffer });
  library.PDFiumExt_Init();
  return library;
}

function drawArea(
  library: WrappedPdfiumModule,
  page: number,
  dotsPerInch: number,
  area: PageArea | undefined,
): RasterImage {
  const scale = dotsPerInch / POINTS_PER_INCH;
  const pageWidth = Math.round(library.FPDF_GetPageWidthF(page) * scale);
  const pageHeight = Math.round(library.FPDF_GetPageHeightF(page) * scale);
  const { left, top, right, bottom } = toPixels(area, dotsPerInch, { pageWidth, pageHeight });
  const [width, height] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  const bitmap = library.FPDFBitmap_CreateEx(width, height, BITMAP_FORMAT, 0, 0);
  library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  library.FPDF_RenderPageBitmap(bitmap, page, -left, -top, pageWidth, pageHeight, 0, FLAGS);
  const start = library.FPDFBitmap_GetBuffer(bitmap);
  // Four bytes a pixel leave no gap between rows.
  const data = new Uint8ClampedArray(library.pdfium.HEAPU8.subarray(start, start + width * height * 4));
  library.FPDFBitmap_Destroy(bitmap);
  return { width, height, data };
}

function toPixels(
  area: PageArea | undefined,
  dotsPerInch: number,
  { pageWidth, pageHeight }: { pageWidth: number; pageHeight: number },
) {
  if (!area) return { left: 0, top: 0, right: pageWidth, bottom: pageHeight };
  const round = (millimeters: number) => Math.round((millimeters / MILLIMETERS_PER_INCH) * dotsPerInch);
  return {
    left: Math.max(0, round(area.x)),
    top: Math.max(0, round(area.y)),
    right: Math.min(pageWidth, round(area.x + area.width)),
    bottom: Math.min(pageHeight, round(area.y + area.height)),
  };
}
