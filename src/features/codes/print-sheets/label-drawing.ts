import { createWorkerThread, type WorkerThread } from '../../../platform/worker-thread.ts';
import type { Label, LabelSheet, PlacedLabel } from './label-document.ts';

/** Steps of one sheet, in this order. */
export type LabelDrawingTask =
  | { step: 'BEGIN'; sheet: LabelSheet }
  | { step: 'ADD'; labels: readonly Label[] }
  | { step: 'END' }
  | { step: 'DECODE'; first: number; count: number };

export interface LabelDrawingResult {
  /** The next part of the file. */
  bytes: Uint8Array;
  /** Ids of codes whose content needs a larger label. */
  tooSmall: string[];
  /** So far. */
  pages: number;
  /** The first of the decoded labels that has not the content of its code. */
  unreadable: PlacedLabel | null;
}

export type LabelDrawing = WorkerThread<LabelDrawingTask, LabelDrawingResult>;

/** Far above the time of a hundred labels, module loading included. */
const TIMEOUT_MS = 60_000;

/** Create the thread that draws a sheet, and decodes what it has drawn; close it afterwards. */
export function createLabelDrawing(): LabelDrawing {
  return createWorkerThread('./draw-labels.thread', import.meta.url, TIMEOUT_MS);
}
