import {
  countLabelsPerPage,
  getLabelPosition,
} from '../../../../src/features/codes/print-sheets/label-sheet.rules.ts';
import type { LabelGrid } from '../../../../src/features/codes/print-sheets/label-templates.ts';
import { openRasterPdf } from '../../../../src/platform/pdf/pdf-rasterizer.ts';
import { decodeQrCodes } from '../../../platform/qr-image/decode-qr-codes.ts';

const DOTS_PER_INCH = 300;

/** Cut each label from its page at 300 dpi, and decode it; null for an empty cell. */
export async function decodeLabels(pdf: Buffer, grid: LabelGrid): Promise<(string | null)[][]> {
  const raster = await openRasterPdf(pdf);
  const pages: (string | null)[][] = [];
  for (let page = 0; page < raster.pages; page += 1) {
    const labels: (string | null)[] = [];
    for (let cell = 0; cell < countLabelsPerPage(grid); cell += 1) {
      const area = { ...getLabelPosition(grid, cell), width: grid.width, height: grid.height };
      const [text = null] = await decodeQrCodes(raster.draw(page, DOTS_PER_INCH, area), 1);
      labels.push(text);
    }
    pages.push(labels);
  }
  raster.close();
  return pages;
}
