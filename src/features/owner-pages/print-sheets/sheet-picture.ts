import { type Html, html } from '../../../shared/html.ts';
import { getLabelPosition, type LabelGrid } from '../../codes/index.ts';

const PICTURE_WIDTH_PIXELS = 160;
/** Of a page that is much higher than wide, such as a roll. */
const MAX_PICTURE_HEIGHT_PIXELS = 480;

/** Render the first page: all labels, and which of them are printed. Patterns, as a sheet may have 2,500 labels. */
export function renderSheetPicture(grid: LabelGrid, startCell: number, count: number): Html {
  const { page, columns, rows, left, top, pitchX, pitchY, width, height } = grid;
  const scale = Math.min(PICTURE_WIDTH_PIXELS / page.width, MAX_PICTURE_HEIGHT_PIXELS / page.height);
  // One row or column has no pitch.
  const stepX = Math.max(pitchX, width);
  const stepY = Math.max(pitchY, height);
  const pattern = (id: string) =>
    html`<pattern id="${id}" patternUnits="userSpaceOnUse" x="${left}" y="${top}" width="${stepX}" height="${stepY}"><rect width="${width}" height="${height}"/></pattern>`;
  const printed = { from: startCell - 1, to: Math.min(columns * rows, startCell - 1 + count) };
  return html`<svg class="sheet" viewBox="0 0 ${page.width} ${page.height}" width="${Math.round(page.width * scale)}" height="${Math.round(page.height * scale)}" aria-hidden="true">${pattern('free')}${pattern('used')}<path d="M0 0h${page.width}v${page.height}H0z"/><path fill="url(#free)" d="${createCellsPath(grid, 0, columns * rows)}"/><path fill="url(#used)" d="${createCellsPath(grid, printed.from, printed.to)}"/></svg>`;
}

/** A rectangle for complete rows, and one for each other row. */
function createCellsPath(grid: LabelGrid, from: number, to: number): string {
  const { columns, pitchX, pitchY } = grid;
  let path = '';
  for (let cell = from; cell < to; ) {
    const column = cell % columns;
    const rows = column === 0 ? Math.max(1, Math.floor((to - cell) / columns)) : 1;
    const width = Math.min(columns - column, to - cell);
    const { x, y } = getLabelPosition(grid, cell);
    const right = toShortNumber((width - 1) * pitchX + grid.width);
    const down = toShortNumber((rows - 1) * pitchY + grid.height);
    path += `M${toShortNumber(x)} ${toShortNumber(y)}h${right}v${down}h-${right}z`;
    cell += rows === 1 ? width : rows * columns;
  }
  return path;
}

function toShortNumber(value: number): number {
  return Math.round(value * 10) / 10;
}
