import { createWorkerThread, type WorkerThread } from '../../../platform/worker-thread.ts';
import type { ReportData } from './report-content.rules.ts';

/** A report that is to be drawn. */
export interface RenderTask {
  facts: ReportData;
  /** BCP 47: what it speaks, if the service does. */
  language: string;
  format: 'html' | 'pdf';
}

/** Far longer than one takes, with the loading of what it is drawn with. */
const TIMEOUT_MS = 20_000;

/** The thread that draws the reports of one process; close it with the process. */
export function createReportRenderer(): WorkerThread<RenderTask, Uint8Array> {
  return createWorkerThread('./draw-report.thread', import.meta.url, TIMEOUT_MS);
}
