import { createWorkerThread, type WorkerThread } from '../../../platform/worker-thread.ts';
import type { ReportBrand } from './report-brand.ts';
import type { ScanReportData } from './report-content.rules.ts';

export interface ScanReportRenderTask {
  facts: ScanReportData;
  /** BCP 47; the default locale when unsupported. */
  language: string;
  format: 'html' | 'pdf';
  brand: ReportBrand;
}

/** Far above the time of one report, module loading included. */
const TIMEOUT_MS = 20_000;

export function createScanReportRenderer(): WorkerThread<ScanReportRenderTask, Uint8Array> {
  return createWorkerThread('./draw-report.thread', import.meta.url, TIMEOUT_MS);
}
