import { serveThreadTasks } from '../../../platform/worker-thread.ts';
import { toSupportedLocale } from '../../../shared/i18n/choose-locale.ts';
import { toPrintableLanguage } from './pdf-text.rules.ts';
import { createReportContent } from './report-content.rules.ts';
import { renderReportPage } from './report-page.ts';
import { renderReportPdf } from './report-pdf.ts';
import type { RenderTask } from './report-renderer.ts';

// A thread: charts and PDF take hundreds of milliseconds to load and tens to draw.
serveThreadTasks(async ({ facts, format, language }: RenderTask) => {
  const report = createReportContent(
    facts,
    format === 'pdf' ? toPrintableLanguage(toSupportedLocale(language)) : toSupportedLocale(language),
  );
  const output =
    format === 'pdf' ? await renderReportPdf(report) : Buffer.from(await renderReportPage(report));
  // Separate memory, which is transferred, not copied.
  const bytes = new Uint8Array(output);
  return { result: bytes, moved: [bytes.buffer] };
});
