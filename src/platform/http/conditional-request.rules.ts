import type { IncomingHttpHeaders } from 'node:http';

/** What conditions and ranges of a request for a file are compared with. */
export interface Validators {
  etag: string;
  /** Two contents of one file are never of one second. */
  modifiedAt: Date;
  size: number;
}

/** Bytes of a file, the first and the last included. */
interface ByteRange {
  first: number;
  last: number;
}

/** How a request for a file is answered: with all of it, a range, or none of it. */
export type FileAnswer = { status: 200 | 304 | 412 | 416 } | { status: 206; range: ByteRange };

/** A weak validator of a file (RFC 9110, section 8.8.1): its size and when it was last written. */
export function fileEtag({ size, modifiedAt }: Pick<Validators, 'size' | 'modifiedAt'>): string {
  return `W/"${size.toString(16)}-${modifiedAt.getTime().toString(16)}"`;
}

/** Whether an If-None-Match header names this validator: weak comparison, lists and `*` (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  return header?.trim() === '*' || tagsIn(header).some((tag) => opaque(tag) === opaque(etag));
}

/**
 * Decides about a GET or HEAD of a file by its conditions, in the order of RFC 9110, section 13.2.2, then by its range,
 * which means something for GET only. Several ranges are 416: many small ones of one file cost more than they are worth
 * (CVE-2011-3192).
 */
export function decideAnswer(headers: IncomingHttpHeaders, method: string, file: Validators): FileAnswer {
  if (isOtherThanWanted(headers, file)) return { status: 412 };
  if (isKnown(headers, file)) return { status: 304 };
  const wanted = method === 'GET' ? /^bytes=(.*)$/i.exec(headers.range?.trim() ?? '')?.[1] : undefined;
  if (wanted === undefined || !isRangeOfThis(headers['if-range'], file)) return { status: 200 };
  // Elements of a list may be empty (RFC 9110, section 5.6.1.2).
  const ranges = wanted.split(',').filter((range) => range.trim() !== '');
  return ranges.length > 1 ? { status: 416 } : answerRange(ranges[0] ?? '', file.size);
}

function isOtherThanWanted(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): boolean {
  const wanted = headers['if-match'];
  if (wanted !== undefined)
    return wanted.trim() !== '*' && !tagsIn(wanted).some((tag) => isSameStrongly(tag, etag));
  const since = dateOf(headers['if-unmodified-since']);
  return since !== null && secondsOf(modifiedAt) > since;
}

function isKnown(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return matchesEtag(known, etag);
  const since = dateOf(headers['if-modified-since']);
  return since !== null && secondsOf(modifiedAt) <= since;
}

/** If-Range: a strong tag, or exactly the date that was told. */
function isRangeOfThis(condition: string | string[] | undefined, { etag, modifiedAt }: Validators): boolean {
  if (condition === undefined) return true;
  const text = String(condition).trim();
  return text.includes('"') ? isSameStrongly(text, etag) : dateOf(text) === secondsOf(modifiedAt);
}

/** What is no range is as if there were none; one that has no byte of the file is 416 (RFC 9110, section 14.1.1). */
function answerRange(given: string, size: number): FileAnswer {
  const [, from = '', to = ''] = /^\s*(\d*)-(\d*)\s*$/.exec(given) ?? [];
  if (from === '' && to === '') return { status: 200 };
  const isSuffix = from === '';
  if (isSuffix && Number(to) > 0 && size === 0) return { status: 200 };
  const first = isSuffix ? Math.max(0, size - Number(to)) : Number(from);
  const last = isSuffix || to === '' ? Number.POSITIVE_INFINITY : Number(to);
  if (last < first) return { status: 200 };
  return first >= size ? { status: 416 } : { status: 206, range: { first, last: Math.min(last, size - 1) } };
}

function tagsIn(header = ''): string[] {
  return Array.from(header.matchAll(/(?<=^|,)[ \t]*((?:W\/)?"[^"]*")[ \t]*(?=,|$)/g), ([, tag = '']) => tag);
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, '');
}

function isSameStrongly(given: string, etag: string): boolean {
  return given === etag && !etag.startsWith('W/');
}

/** The three forms of RFC 9110, section 5.6.7; the last is of UTC without saying so. */
const DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Seconds since 1970 of a date as HTTP writes it; null for anything else. */
function dateOf(text: string | undefined): number | null {
  const date = text?.trim() ?? '';
  if (!DATES.some((form) => form.test(date))) return null;
  const at = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(at) ? null : at / 1000;
}

/** Dates of HTTP have no fractions of a second. */
function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
