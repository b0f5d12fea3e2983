import { TaskTimeoutError } from '../../../platform/task-timeout.ts';
import { createWorkerThread } from '../../../platform/worker-thread.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { createFairLimiter } from '../../../shared/fair-limiter.ts';
import type { WorkbookResult, WorkbookTask } from './convert-workbook.thread.ts';
import { assertWorkbookSize, createUnreadableError, MAX_WORKBOOK_BYTES } from './workbook.rules.ts';

const TIMEOUT_MS = 60_000;

/** Of the thread: the texts of a sheet are in memory while its rows are read. */
const MAX_HEAP_MB = 512;

const limitConversions = createFairLimiter({ concurrency: 1, maxQueued: 20, maxQueuedPerKey: 3 });

const thread = createWorkerThread<WorkbookTask, WorkbookResult>(
  './convert-workbook.thread',
  import.meta.url,
  TIMEOUT_MS,
  { maxOldGenerationSizeMb: MAX_HEAP_MB },
);

/**
 * Convert the first sheet of a workbook (.xlsx) to CSV.
 * @throws FILE_TYPE_UNSUPPORTED, PAYLOAD_TOO_LARGE, BUSY or RATE_LIMITED while others wait
 */
export async function convertWorkbook(
  accountId: string,
  content: AsyncIterable<Uint8Array>,
  reserveMemory: (bytes: number) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > MAX_WORKBOOK_BYTES) throw new ServiceError('PAYLOAD_TOO_LARGE');
    reserveMemory(chunk.length);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  assertWorkbookSize(bytes);
  const result = await limitConversions(accountId, () => thread.run({ bytes })).catch((error: unknown) => {
    throw toRefusal(error);
  });
  if ('isTooLarge' in result) throw new ServiceError('PAYLOAD_TOO_LARGE');
  return result.csv;
}

/** A file that takes too much memory or time is too large; what the library throws is its fault. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return createUnreadableError(error);
  const { cause } = error;
  const isOutOfMemory = Reflect.get(Object(cause), 'code') === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory || cause instanceof TaskTimeoutError
    ? new ServiceError('PAYLOAD_TOO_LARGE', { cause })
    : error;
}
