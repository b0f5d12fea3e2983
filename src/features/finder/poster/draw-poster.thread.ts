import { serveThreadTasks } from '../../../platform/worker-thread.ts';
import { createPosterPdf, type PosterContent } from './poster-document.ts';

// A thread: shaping texts and embedding a photo take tens of milliseconds.
serveThreadTasks<PosterContent, Uint8Array>(async (content) => {
  // Separate memory, which is transferred, not copied.
  const bytes = new Uint8Array(await createPosterPdf(content));
  return { result: bytes, moved: [bytes.buffer] };
});
