import type { IncomingHttpHeaders } from 'node:http';
import type { RequestStep } from './request-steps.ts';

/** Most characters of a header that are read; browsers and common clients send far fewer. */
const MAX_CHARACTERS = {
  accept: 1_000,
  'accept-encoding': 500,
  'accept-language': 500,
  'access-control-request-headers': 2_000,
  'content-type': 1_000,
  'idempotency-key': 1_000,
  'if-match': 2_000,
  'if-modified-since': 100,
  'if-none-match': 2_000,
  'if-range': 1_000,
  'if-unmodified-since': 100,
  origin: 1_000,
  purpose: 100,
  range: 1_000,
  referer: 2_000,
  'sec-purpose': 100,
  'sec-websocket-protocol': 8_000,
  'user-agent': 2_000,
  'x-moz': 100,
  'x-purpose': 100,
} as const satisfies Record<string, number>;

/** A shared domain can carry many cookies of others; the whole head is limited by the server. */
const MAX_COOKIES = 100;

/** Cut long headers before anything parses them. A list ends at its last complete item. */
export function truncateHeaders(headers: IncomingHttpHeaders): void {
  for (const [name, max] of Object.entries(MAX_CHARACTERS)) {
    const value = headers[name];
    if (typeof value !== 'string' || value.length <= max) continue;
    const comma = value.lastIndexOf(',', max);
    headers[name] = value.slice(0, comma > 0 ? comma : max);
  }
  const { cookie } = headers;
  if (cookie !== undefined) headers.cookie = cookie.split(';', MAX_COOKIES).join(';');
}

export const limitHeaders: RequestStep = (request) => truncateHeaders(request.raw.headers);
