import type { IncomingMessage } from 'node:http';
import { setImmediate as round, setTimeout as wait } from 'node:timers/promises';

const END_CHECK_INTERVAL_MS = 250;

const END_OF_FORM = Symbol('end');

/** Iterate over the parts of a form; the parser reports no end after it skips a last, unnamed part. */
export async function* iterateFormParts<Part>(
  body: IncomingMessage,
  parts: AsyncIterableIterator<Part>,
): AsyncGenerator<Part> {
  for (;;) {
    const endWatch = new AbortController();
    const next = parts.next();
    try {
      const result = await Promise.race([next, waitForBodyEnd(body, endWatch.signal)]);
      if (result === END_OF_FORM) {
        // Nobody awaits this part any more.
        next.catch(() => undefined);
        return;
      }
      if (result.done === true) return;
      yield result.value;
    } finally {
      endWatch.abort();
    }
  }
}

async function waitForBodyEnd(body: IncomingMessage, signal: AbortSignal): Promise<typeof END_OF_FORM> {
  try {
    for (;;) {
      await wait(END_CHECK_INTERVAL_MS, undefined, { signal, ref: false });
      if (!isFullyRead(body)) continue;
      for (let rounds = 0; rounds < 10; rounds++) await round(undefined, { signal });
      if (isFullyRead(body)) return END_OF_FORM;
    }
  } catch {
    return new Promise(() => undefined);
  }
}

function isFullyRead(body: IncomingMessage): boolean {
  return body.complete && body.readableLength === 0;
}
