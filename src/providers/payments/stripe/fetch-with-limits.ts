import { readBodyWithLimit } from '../../../shared/read-body-with-limit.ts';

/** A page of a hundred invoices has about one million bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Replaces errors that are not Stripe's: without an error type the library reports a success. */
const NON_STRIPE_ERROR_BODY = JSON.stringify({ error: { type: 'api_error', code: 'unreadable_answer' } });

/** Create a fetch without redirects that accepts only complete Stripe responses. @throws without a response */
export function createStrictStripeFetch(getSignal: () => AbortSignal | undefined): typeof fetch {
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
    // All Stripe responses have the field `object`.
    if (status !== 200 || !hasTruthyProperty(answer, 'object'))
      throw new Error(`invalid response, status ${status}`);
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
