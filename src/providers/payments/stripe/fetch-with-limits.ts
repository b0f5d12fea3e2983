import { readBodyWithLimit } from '../../../shared/read-body-with-limit.ts';

/** No honest answer is near this size, in bytes: a page of a hundred invoices has about one million. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** What stands for an error that is none of Stripe's own, as that of a proxy; without one the library sees a success. */
const NON_STRIPE_ERROR_BODY = JSON.stringify({ error: { type: 'api_error', code: 'unreadable_answer' } });

/**
 * A fetch that follows no redirect, reads 16 MiB at the most, ends with the signal of what is under way besides its
 * own, and gives whole answers of Stripe alone. Throws where there is none.
 */
export function createFetchWithLimits(getSignal: () => AbortSignal | undefined): typeof fetch {
  return async (url, init = {}) => {
    const signals = [init.signal, getSignal()].filter((signal) => signal != null);
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
    const { status, headers } = response;
    const text = (await readBodyWithLimit(MAX_RESPONSE_BYTES, response.body)).toString();
    const answer = parseJson(text);
    if (status >= 400)
      return new Response(hasTruthyProperty(answer, 'error') ? text : NON_STRIPE_ERROR_BODY, {
        status,
        headers,
      });
    // Everything that Stripe sends says what it is.
    if (status !== 200 || !hasTruthyProperty(answer, 'object'))
      throw new Error(`unreadable answer, status ${status}`);
    return new Response(text, { status, headers });
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hasTruthyProperty(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Boolean(Reflect.get(value, name));
}
