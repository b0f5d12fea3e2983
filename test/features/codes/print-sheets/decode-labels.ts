import sharp from 'sharp';
import { readBarcodes } from 'zxing-wasm/reader';
import {
  countLabelsPerPage,
  getLabelPosition,
} from '../../../../src/features/codes/print-sheets/label-sheet.rules.ts';
import type { LabelGrid } from '../../../../src/features/codes/print-sheets/label-templates.ts';
import { isQrCodeDecodableAs } from '../../../../src/platform/qr-image/decode-image.ts';
import { type RasterPage, rasterizePdf } from '../../../platform/pdf/rasterize-pdf.ts';

const DOTS_PER_INCH = 300;
const DOTS_PER_MILLIMETER = DOTS_PER_INCH / 25.4;

/** Cut each label from its page at 300 dpi, and decode it; null for an empty cell. */
export async function decodeLabels(pdf: Buffer, grid: LabelGrid): Promise<(string | null)[][]> {
  // Prepares the decoder.
  await isQrCodeDecodableAs(await createWhitePng(), '');
  const pages: (string | null)[][] = [];
  for (const page of rasterizePdf(pdf, DOTS_PER_INCH)) {
    const labels: (string | null)[] = [];
    for (let cell = 0; cell < countLabelsPerPage(grid); cell += 1)
      labels.push(await decodeCell(page, grid, cell));
    pages.push(labels);
  }
  return pages;
}

async function decodeCell(page: RasterPage, grid: LabelGrid, cell: number): Promise<string | null> {
  const { x, y } = getLabelPosition(grid, cell);
  const [left, top] = [x, y].map((value) => Math.max(0, Math.round(value * DOTS_PER_MILLIMETER)));
  const right = Math.min(page.width, Math.round((x + grid.width) * DOTS_PER_MILLIMETER));
  const bottom = Math.min(page.height, Math.round((y + grid.height) * DOTS_PER_MILLIMETER));
  const region = { left: left ?? 0, top: top ?? 0, width: right - (left ?? 0), height: bottom - (top ?? 0) };
  const raw = { width: page.width, height: page.height, channels: 1 } as const;
  const png = await sharp(page.pixels, { raw }).extract(region).png({ compressionLevel: 0 }).toBuffer();
  const [found] = await readBarcodes(new Uint8Array(png), {
    formats: ['QRCode'],
    maxNumberOfSymbols: 1,
    tryHarder: true,
    tryInvert: false,
  });
  return found?.isValid ? found.text : null;
}

function createWhitePng(): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
}
