import type { IncomingMessage } from 'node:http';
import { setImmediate as round, setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between looks at whether a form is at its end. */
const PATIENCE = 250;

const END = Symbol('end');

/**
 * The parts of a form, to its end. The parser never tells the end of a form in which it skips a part, for want of a name,
 * that fills its buffer and is the last to be read: then all of the body was given to it, and no part comes any more.
 */
export async function* partsOf<Part>(
  body: IncomingMessage,
  parts: AsyncIterableIterator<Part>,
): AsyncGenerator<Part> {
  for (;;) {
    const waiting = new AbortController();
    const next = parts.next();
    try {
      const found = await Promise.race([next, endOf(body, waiting.signal)]);
      if (found === END) {
        // What nobody waits for any more.
        next.catch(() => undefined);
        return;
      }
      if (found.done === true) return;
      yield found.value;
    } finally {
      waiting.abort();
    }
  }
}

/** Resolves when a body has long been read to its end; never after the signal. */
async function endOf(body: IncomingMessage, signal: AbortSignal): Promise<typeof END> {
  try {
    for (;;) {
      await wait(PATIENCE, undefined, { signal, ref: false });
      if (!isRead(body)) continue;
      // What was under way comes within a round or two.
      for (let rounds = 0; rounds < 10; rounds++) await round(undefined, { signal });
      if (isRead(body)) return END;
    }
  } catch {
    return new Promise(() => undefined);
  }
}

function isRead(body: IncomingMessage): boolean {
  return body.complete && body.readableLength === 0;
}
