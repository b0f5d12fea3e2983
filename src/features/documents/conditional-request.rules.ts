import type { IncomingHttpHeaders } from 'node:http';

/** Bytes of a content, the first and the last included. */
interface ByteRange {
  first: number;
  last: number;
}

/** What a client may compare with: a strong tag, and when it was stored. */
export interface Validators {
  etag: string;
  modifiedAt: Date;
  size: number;
}

/** What a request for a content is answered with (RFC 9110, sections 13.2.2 and 14.2). */
export type Answer =
  | { status: 200 }
  | { status: 206; range: ByteRange }
  | { status: 304 }
  | { status: 412 }
  | { status: 416 };

/** Decides the answer to a GET or HEAD by its conditions and its range. Several ranges at once are 416. */
export function decideAnswer(headers: IncomingHttpHeaders, method: string, of: Validators): Answer {
  if (failsPrecondition(headers, of)) return { status: 412 };
  if (isUnchanged(headers, of)) return { status: 304 };
  // A range means something for GET only.
  const given = method === 'GET' ? /^bytes=(.*)$/i.exec(headers.range?.trim() ?? '')?.[1] : undefined;
  if (given === undefined || !isSameContent(headers, of)) return { status: 200 };
  if (given.includes(',')) return { status: 416 };
  const range = rangeOf(given, of.size);
  if (range === 'MALFORMED') return { status: 200 };
  return range === 'OUTSIDE' ? { status: 416 } : { status: 206, range };
}

function failsPrecondition(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): boolean {
  const wanted = headers['if-match'];
  if (wanted !== undefined) return wanted.trim() !== '*' && !tagsIn(wanted).includes(etag);
  const since = dateOf(headers['if-unmodified-since']);
  return since !== null && secondsOf(modifiedAt) > since;
}

function isUnchanged(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined)
    return known.trim() === '*' || tagsIn(known).some((tag) => tag.replace(/^W\//, '') === etag);
  const since = dateOf(headers['if-modified-since']);
  return since !== null && secondsOf(modifiedAt) <= since;
}

/** If-Range: a strong tag, or exactly the date that was told. */
function isSameContent(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): boolean {
  const ifRange = headers['if-range'];
  if (typeof ifRange !== 'string') return true;
  const value = ifRange.trim();
  return value.includes('"') ? value === etag : dateOf(value) === secondsOf(modifiedAt);
}

function rangeOf(given: string, size: number): ByteRange | 'MALFORMED' | 'OUTSIDE' {
  const [, from = '', to = ''] = /^\s*(\d{0,16})-(\d{0,16})\s*$/.exec(given) ?? [];
  if (from === '' && to === '') return 'MALFORMED';
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'OUTSIDE' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Number(to);
  if (last < first && to !== '') return 'MALFORMED';
  return first >= size ? 'OUTSIDE' : { first, last: Math.min(last, size - 1) };
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** Seconds since 1970 of a date as HTTP writes it; null for anything else. */
function dateOf(text: string | undefined): number | null {
  if (
    text === undefined ||
    !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text.trim())
  )
    return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at / 1000;
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
