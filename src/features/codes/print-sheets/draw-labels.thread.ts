import { constants, setPriority } from 'node:os';
import type { RasterPdf } from '../../../platform/pdf/pdf-rasterizer.ts';
import { findUnreadableSymbol, openPdfToDecode } from '../../../platform/qr-image/decode-pdf.ts';
import { serveThreadTasks } from '../../../platform/worker-thread.ts';
import { createLabelDocument, type LabelDocument, type PlacedLabel } from './label-document.ts';
import type { LabelDrawingResult, LabelDrawingTask } from './label-drawing.ts';

let document: LabelDocument | null = null;
let pdf: RasterPdf | null = null;

/** Of the whole file: it cannot be read before its end is written. */
const chunks: Uint8Array[] = [];
const placed: PlacedLabel[] = [];

// Requests come first. Linux alone has a priority for each thread, elsewhere it is that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

// A thread of one sheet: a page takes tens of milliseconds to draw, and longer to decode.
serveThreadTasks<LabelDrawingTask, LabelDrawingResult>(async (task) => {
  if (task.step === 'BEGIN') document = await createLabelDocument(task.sheet);
  if (!document) throw new Error('The sheet has not begun.');
  const added = task.step === 'ADD' ? document.add(task.labels) : { placed: [], tooSmall: [] };
  placed.push(...added.placed);
  if (task.step === 'END') document.end();
  const drawn = await document.takeBytes();
  chunks.push(...drawn);
  // Separate memory, which is transferred, not copied.
  const bytes = new Uint8Array(Buffer.concat(drawn));
  const unreadable = task.step === 'DECODE' ? await decode(task) : null;
  const result = { bytes, tooSmall: added.tooSmall, pages: document.pages, unreadable };
  return { result, moved: [bytes.buffer] };
});

async function decode({ first, count }: { first: number; count: number }): Promise<PlacedLabel | null> {
  pdf ??= await openPdfToDecode(Buffer.concat(chunks.splice(0)));
  return findUnreadableSymbol(pdf, placed.slice(first, first + count));
}
