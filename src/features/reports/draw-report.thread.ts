import { serveThreadTasks } from '../../platform/worker-thread.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { inLatin } from './pdf-text.rules.ts';
import { contentOf } from './report-content.rules.ts';
import type { AskedDrawing } from './report-drawing.ts';
import { reportPage } from './report-page.ts';
import { reportPdf } from './report-pdf.ts';

// What a thread of its own runs: charts and PDF take hundreds of milliseconds to load, and tens to draw.
serveThreadTasks(async ({ facts, format, language }: AskedDrawing) => {
  const report = contentOf(facts, format === 'pdf' ? inLatin(toLocale(language)) : toLocale(language));
  const made = format === 'pdf' ? await reportPdf(report) : Buffer.from(await reportPage(report));
  // In memory of its own, which is handed over and not copied.
  const bytes = new Uint8Array(made);
  return { result: bytes, moved: [bytes.buffer] };
});
