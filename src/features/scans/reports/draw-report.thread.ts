import { serveThreadTasks } from '../../../platform/worker-thread.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { createScanReportContent } from './report-content.rules.ts';
import { renderScanReportPage } from './report-page.ts';
import { renderScanReportPdf } from './report-pdf.ts';
import type { ScanReportRenderTask } from './report-renderer.ts';

// A thread: charts and PDF take hundreds of milliseconds to load and tens to draw.
serveThreadTasks(async ({ facts, format, language, brand }: ScanReportRenderTask) => {
  const report = createScanReportContent(facts, toSupportedLocale(language));
  const output =
    format === 'pdf'
      ? await renderScanReportPdf(report, brand)
      : Buffer.from(await renderScanReportPage(report, brand));
  // Separate memory, which is transferred, not copied.
  const bytes = new Uint8Array(output);
  return { result: bytes, moved: [bytes.buffer] };
});
