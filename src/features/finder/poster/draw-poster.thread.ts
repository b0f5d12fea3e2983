import { findUnreadableSymbolOfPdf } from '../../../platform/qr-image/decode-pdf.ts';
import { serveThreadTasks } from '../../../platform/worker-thread.ts';
import { createPosterPdf, type PosterContent } from './poster-document.ts';
import type { DrawnPoster } from './poster-drawer.ts';

// A thread: shaping texts, embedding a photo and decoding the symbols take hundreds of milliseconds.
serveThreadTasks<PosterContent, DrawnPoster>(async (content) => {
  const drawn = await createPosterPdf(content);
  const unreadable = await findUnreadableSymbolOfPdf(drawn.bytes, drawn.symbols);
  // Separate memory, which is transferred, not copied.
  const bytes = new Uint8Array(drawn.bytes);
  return { result: { bytes, unreadable: unreadable?.place ?? null }, moved: [bytes.buffer] };
});
