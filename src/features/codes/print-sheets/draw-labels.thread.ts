import { serveThreadTasks } from '../../../platform/worker-thread.ts';
import { createLabelDocument, type LabelDocument } from './label-document.ts';
import type { LabelDrawingResult, LabelDrawingTask } from './label-drawing.ts';

let document: LabelDocument | null = null;

// A thread of one sheet: a page takes tens of milliseconds to draw.
serveThreadTasks<LabelDrawingTask, LabelDrawingResult>(async (task) => {
  if (task.step === 'BEGIN') document = await createLabelDocument(task.sheet);
  if (!document) throw new Error('The sheet has not begun.');
  const tooSmall = task.step === 'ADD' ? document.add(task.labels) : [];
  if (task.step === 'END') document.end();
  // Separate memory, which is transferred, not copied.
  const bytes = new Uint8Array(Buffer.concat(await document.takeBytes()));
  return { result: { bytes, tooSmall, pages: document.pages }, moved: [bytes.buffer] };
});
