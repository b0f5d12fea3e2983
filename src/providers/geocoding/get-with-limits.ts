import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createPinnedLookup, resolveAllowedAddresses } from './public-address.ts';

interface RequestLimits {
  /** For lookup, connection and response together. */
  timeoutMs: number;
  maxBytes: number;
}

/**
 * Get the body of a 200 response. Redirects are not followed, connections are not reused, and only public
 * addresses are allowed, or loopback when the URL names it.
 * @throws Error with a message that contains nothing of URL and response
 */
export async function getWithLimits(
  url: URL,
  headers: Record<string, string>,
  { timeoutMs, maxBytes }: RequestLimits,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const addresses = await rejectOnAbort(signal, resolveAllowedAddresses(url.hostname));
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'http:' ? requestHttp : requestHttps;
    const options = { headers, signal, agent: false as const, lookup: createPinnedLookup(addresses) };
    const clientRequest = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const fail = (reason: string) => {
        reject(new Error(reason));
        clientRequest.destroy();
      };
      if (response.statusCode !== 200) return fail(`status ${response.statusCode}`);
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) return fail('response too large');
        chunks.push(chunk);
      });
      response.once('end', () =>
        response.complete ? resolve(Buffer.concat(chunks)) : fail('incomplete response'),
      );
      response.once('error', (error) => reject(toRequestError(signal, error)));
    });
    clientRequest.once('error', (error) => reject(toRequestError(signal, error)));
    clientRequest.end();
  });
}

/** Name lookups have no timeout of their own. */
function rejectOnAbort<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true });
    work.then(resolve, (error: unknown) => reject(toRequestError(signal, error)));
  });
}

function toRequestError(signal: AbortSignal, error: unknown): Error {
  if (signal.aborted) return new Error('timeout');
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (typeof code === 'string') return new Error(code);
  return error instanceof Error ? error : new Error('no answer');
}
