import type { FieldError } from '../../../shared/errors.ts';
import type { LabelGrid } from './label-templates.ts';

/** Sums of decimal millimeters, and measures that are rounded from inches. */
const TOLERANCE_MILLIMETERS = 0.05;

export function countLabelsPerPage({ columns, rows }: Pick<LabelGrid, 'columns' | 'rows'>): number {
  return columns * rows;
}

/** Count the pages of labels that begin at a cell, from 1. */
export function countLabelPages(grid: LabelGrid, labels: number, startCell: number): number {
  return labels === 0 ? 0 : Math.ceil((labels + startCell - 1) / countLabelsPerPage(grid));
}

/** Get the left upper corner of a cell, from 0, row by row. */
export function getLabelPosition(grid: LabelGrid, cell: number): { x: number; y: number } {
  return {
    x: grid.left + (cell % grid.columns) * grid.pitchX,
    y: grid.top + Math.floor(cell / grid.columns) * grid.pitchY,
  };
}

/** Find labels that overlap or leave the page; `path` is the field of the grid in a body. */
export function findLabelGridErrors(grid: LabelGrid, path: string): FieldError[] {
  const { page, columns, rows, left, top, pitchX, pitchY, width, height } = grid;
  const errors: FieldError[] = [];
  const add = (field: string, message: string) =>
    errors.push({ field: `${path}.${field}`, code: 'OUT_OF_RANGE', message });
  const exceeds = (value: number, limit: number) => value > limit + TOLERANCE_MILLIMETERS;
  if (columns > 1 && exceeds(width, pitchX)) add('pitchX', 'Must be at least the width of a label.');
  if (rows > 1 && exceeds(height, pitchY)) add('pitchY', 'Must be at least the height of a label.');
  const right = left + (columns - 1) * pitchX + width;
  if (exceeds(right, page.width))
    add('columns', `The labels end at ${formatMillimeters(right)} mm, the page at ${page.width} mm.`);
  const bottom = top + (rows - 1) * pitchY + height;
  if (exceeds(bottom, page.height))
    add('rows', `The labels end at ${formatMillimeters(bottom)} mm, the page at ${page.height} mm.`);
  return errors;
}

function formatMillimeters(value: number): string {
  return String(Math.round(value * 100) / 100);
}
