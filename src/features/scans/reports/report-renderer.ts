import { createWorkerThread, type WorkerThread } from '../../../platform/worker-thread.ts';
import type { ReportData } from './report-content.rules.ts';

export interface RenderTask {
  facts: ReportData;
  /** BCP 47; the default locale when unsupported. */
  language: string;
  format: 'html' | 'pdf';
}

/** Far above the time of one report, module loading included. */
const TIMEOUT_MS = 20_000;

export function createReportRenderer(): WorkerThread<RenderTask, Uint8Array> {
  return createWorkerThread('./draw-report.thread', import.meta.url, TIMEOUT_MS);
}
