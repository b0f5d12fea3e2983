import type { IncomingMessage } from 'node:http';
import { setImmediate as round, setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between looks at whether a form is at its end. */
const END_CHECK_INTERVAL_MS = 250;

const END_OF_FORM = Symbol('end');

/**
 * The parts of a form, to its end. The parser never tells the end of a form in which it skips a part, for want of a name,
 * that fills its buffer and is the last to be read: then all of the body was given to it, and no part comes any more.
 */
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
        // What nobody waits for any more.
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

/** Resolves when a body has long been read to its end; never after the signal. */
async function waitForBodyEnd(body: IncomingMessage, signal: AbortSignal): Promise<typeof END_OF_FORM> {
  try {
    for (;;) {
      await wait(END_CHECK_INTERVAL_MS, undefined, { signal, ref: false });
      if (!isFullyRead(body)) continue;
      // What was under way comes within a round or two.
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
