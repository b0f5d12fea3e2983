import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { allowedAddresses, pinnedLookup } from './outside-address.ts';

interface Limits {
  /** Milliseconds for the whole of it: name, connection, answer. */
  timeout: number;
  /** Bytes of the answer. */
  most: number;
}

/**
 * The body of a 200 answer to a GET. Follows no redirect, keeps no connection, and connects to a public address only, or
 * to loopback where the URL says so itself. Throws an Error with a reason that holds nothing of URL or answer.
 */
export async function boundedGet(
  url: URL,
  headers: Record<string, string>,
  { timeout, most }: Limits,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(timeout);
  const addresses = await within(signal, allowedAddresses(url.hostname));
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'http:' ? requestHttp : requestHttps;
    const options = { headers, signal, agent: false as const, lookup: pinnedLookup(addresses) };
    const sent = send(url, options, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const fail = (reason: string) => {
        reject(new Error(reason));
        sent.destroy();
      };
      if (answer.statusCode !== 200) return fail(`status ${answer.statusCode}`);
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > most) return fail('an answer that is too large');
        chunks.push(chunk);
      });
      answer.once('end', () => (answer.complete ? resolve(Buffer.concat(chunks)) : fail('half an answer')));
      answer.once('error', (error) => reject(reasonOf(signal, error)));
    });
    sent.once('error', (error) => reject(reasonOf(signal, error)));
    sent.end();
  });
}

/** What a promise comes to, or an Error when the time is over: names are resolved without a limit of their own. */
function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
    work.then(resolve, (error: unknown) => reject(reasonOf(signal, error)));
  });
}

function reasonOf(signal: AbortSignal, error: unknown): Error {
  if (signal.aborted) return new Error('no answer in time');
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (typeof code === 'string') return new Error(code);
  return error instanceof Error ? error : new Error('no answer');
}
