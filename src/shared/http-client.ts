import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { BodyTooLargeError, readBodyWithLimit } from './read-body-with-limit.ts';
import { readExcerpt } from './read-excerpt.ts';
import { rejectOnAbort } from './reject-on-abort.ts';
import { traceCall } from './tracing.ts';

export interface HttpRequestOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Milliseconds for the whole of it: name, connection, headers and body. */
  timeoutMs: number;
  /** Bytes of the response's body; null where the body does not matter and is not read. */
  maxResponseBytes: number | null;
  /** The first bytes are enough; more are no error, and the rest is not waited for. */
  isExcerpt?: boolean;
  signal?: AbortSignal | undefined;
  /** Resolve the host to the only addresses to connect to, or throw. The connection is not used again. */
  resolveAddresses?: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** The URL is a user's: spans do not name its host. */
  hidesHost?: boolean;
  /** Send `traceparent`; only to servers of the operator, which may know what belongs together. */
  propagatesTrace?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  body: Buffer<ArrayBuffer>;
}

/** Why there is no response. The message holds nothing of URL, request or response. */
export class HttpRequestError extends Error {
  override readonly name = 'HttpRequestError';
}

/**
 * Bodies are not decompressed. Made when this file is loaded, which has Node set the dispatcher of its own `fetch`: if
 * undici 7 sets it first, every POST of Stripe's library fails on Node 20.
 */
const DEFAULT_HEADERS = new Headers({ 'accept-encoding': 'identity', 'user-agent': 'qr-profile-service' });

/** Milliseconds to connect, where the whole request may take longer. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Bytes of a body that does not matter which are read so that the connection can be used again. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/** Milliseconds to wait for an excerpt of a body. */
const EXCERPT_TIMEOUT_MS = 1_000;

/** Before the response; each costs time, and a server could send them without end. */
const MAX_INFORMATIONAL_RESPONSES = 10;

let sharedAgent: Agent | undefined;

/** Load the large library of requests. */
export function loadHttpClient() {
  return import('undici');
}

/** Send a request once, without redirects or decompression. @throws HttpRequestError without a whole response */
export async function sendHttpRequest(url: string | URL, options: HttpRequestOptions): Promise<HttpResponse> {
  const { method = 'GET', headers, hidesHost = false, propagatesTrace = false } = options;
  // Paths and queries can be private.
  const attributes: Record<string, string> = { 'http.request.method': method };
  if (!hidesHost) attributes['server.address'] = new URL(url).hostname;
  return traceCall(method, { kind: 'client', attributes }, async (span) => {
    const response = await send(url, {
      ...options,
      headers: span && propagatesTrace ? { ...headers, traceparent: span.traceparent } : { ...headers },
    });
    span?.setAttributes({ 'http.response.status_code': response.status });
    return response;
  });
}

async function send(url: string | URL, options: HttpRequestOptions): Promise<HttpResponse> {
  // Loaded with the first request: it is large.
  const undici = await loadHttpClient();
  const {
    timeoutMs,
    resolveAddresses,
    maxResponseBytes,
    method = 'GET',
    headers = {},
    body = null,
  } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  let ownAgent: Agent | undefined;
  try {
    if (resolveAddresses) {
      const addresses = await rejectOnAbort(signal, resolveAddresses(new URL(url).hostname));
      const connect = { timeout: CONNECT_TIMEOUT_MS, lookup: createPinnedLookup(addresses) };
      ownAgent = new undici.Agent({ connect });
    }
    sharedAgent ??= new undici.Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });
    const dispatcher = ownAgent ?? sharedAgent;
    // The signal alone ends no connection that is being made.
    const response = await rejectOnAbort(
      signal,
      undici.request(url, {
        ...limits,
        method,
        headers: withDefaultHeaders(headers),
        body,
        signal,
        dispatcher,
        onInfo: limitInformationalResponses(),
      }),
    );
    const status = response.statusCode;
    const responseHeaders = toHeaders(response.headers);
    if (maxResponseBytes === null) {
      void response.body.dump({ limit: MAX_DISCARDED_BYTES, signal }).catch(() => undefined);
      return { status, headers: responseHeaders, body: Buffer.alloc(0) };
    }
    const bytes = options.isExcerpt
      ? await readExcerpt(response.body, { maxBytes: maxResponseBytes, maxWaitMs: EXCERPT_TIMEOUT_MS })
      : await readBodyWithLimit(maxResponseBytes, response.body);
    return { status, headers: responseHeaders, body: bytes };
  } catch (error) {
    throw toHttpRequestError(error, signal);
  } finally {
    void ownAgent?.destroy();
  }
}

/** What it throws ends the request. */
function limitInformationalResponses(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > MAX_INFORMATIONAL_RESPONSES) throw new Error('too many informational responses');
  };
}

function createPinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options: LookupOptions, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

function withDefaultHeaders(headers: Record<string, string>): Record<string, string> {
  const all = new Headers(DEFAULT_HEADERS);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return Object.fromEntries(all);
}

function toHeaders(values: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

const CODE_REASONS: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'response too large',
  // The other side closed the connection before the end of the response.
  UND_ERR_SOCKET: 'ECONNRESET',
};

function toHttpRequestError(error: unknown, signal: AbortSignal): HttpRequestError {
  if (signal.aborted) return new HttpRequestError('timeout', { cause: error });
  if (error instanceof BodyTooLargeError) return new HttpRequestError('response too large', { cause: error });
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (typeof code === 'string') return new HttpRequestError(CODE_REASONS[code] ?? code, { cause: error });
  return new HttpRequestError(error instanceof Error ? error.message : 'no answer', { cause: error });
}
