import { readUpTo } from '../../../shared/read-up-to.ts';

/** No honest answer is near this size, in bytes: a page of a hundred invoices has about one million. */
const MAX_ANSWER = 16 * 1024 * 1024;

/** What stands for an error that is none of Stripe's own, as that of a proxy; without one the library sees a success. */
const FOREIGN_ERROR = JSON.stringify({ error: { type: 'api_error', code: 'unreadable_answer' } });

/**
 * A fetch that follows no redirect, reads 16 MiB at the most, ends with the signal of what is under way besides its
 * own, and gives whole answers of Stripe alone. Throws where there is none.
 */
export function createBoundedFetch(underWay: () => AbortSignal | undefined): typeof fetch {
  return async (url, init = {}) => {
    const signals = [init.signal, underWay()].filter((signal) => signal != null);
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
    const { status, headers } = response;
    const text = (await readUpTo(MAX_ANSWER, response.body)).toString();
    const answer = parsed(text);
    if (status >= 400)
      return new Response(hasMember(answer, 'error') ? text : FOREIGN_ERROR, { status, headers });
    // Everything that Stripe sends says what it is.
    if (status !== 200 || !hasMember(answer, 'object'))
      throw new Error(`unreadable answer, status ${status}`);
    return new Response(text, { status, headers });
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hasMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Boolean(Reflect.get(value, name));
}
