import { createWorkerThread, type WorkerThread } from '../../platform/worker-thread.ts';
import type { ReportFacts } from './report-content.rules.ts';

/** A report that is to be drawn. */
export interface AskedDrawing {
  facts: ReportFacts;
  /** BCP 47: what it speaks, if the service does. */
  language: string;
  format: 'html' | 'pdf';
}

/** Far longer than one takes, with the loading of what it is drawn with. */
const LONGEST_MS = 20_000;

/** The thread that draws the reports of one process; close it with the process. */
export function createReportDrawing(): WorkerThread<AskedDrawing, Uint8Array> {
  return createWorkerThread('./draw-report.thread', import.meta.url, LONGEST_MS);
}
