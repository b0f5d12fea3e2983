import type { IncomingHttpHeaders } from 'node:http';

/** What conditions and ranges of a request for a file are compared with. */
export interface FileValidators {
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
export type FileResponse = { status: 200 | 304 | 412 | 416 } | { status: 206; range: ByteRange };

/** A weak validator of a file (RFC 9110, section 8.8.1): its size and when it was last written. */
export function computeFileEtag({ size, modifiedAt }: Pick<FileValidators, 'size' | 'modifiedAt'>): string {
  return `W/"${size.toString(16)}-${modifiedAt.getTime().toString(16)}"`;
}

/** Whether an If-None-Match header names this validator: weak comparison, lists and `*` (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  return (
    header?.trim() === '*' || parseEtags(header).some((tag) => stripWeakPrefix(tag) === stripWeakPrefix(etag))
  );
}

/**
 * Decides about a GET or HEAD of a file by its conditions, in the order of RFC 9110, section 13.2.2, then by its range,
 * which means something for GET only. Several ranges are 416: many small ones of one file cost more than they are worth
 * (CVE-2011-3192).
 */
export function evaluateConditionalRequest(
  headers: IncomingHttpHeaders,
  method: string,
  file: FileValidators,
): FileResponse {
  if (failsPrecondition(headers, file)) return { status: 412 };
  if (isNotModified(headers, file)) return { status: 304 };
  const headerValue = method === 'GET' ? /^bytes=(.*)$/i.exec(headers.range?.trim() ?? '')?.[1] : undefined;
  if (headerValue === undefined || !matchesIfRange(headers['if-range'], file)) return { status: 200 };
  // Elements of a list may be empty (RFC 9110, section 5.6.1.2).
  const ranges = headerValue.split(',').filter((range) => range.trim() !== '');
  return ranges.length > 1 ? { status: 416 } : resolveRange(ranges[0] ?? '', file.size);
}

function failsPrecondition(headers: IncomingHttpHeaders, { etag, modifiedAt }: FileValidators): boolean {
  const headerValue = headers['if-match'];
  if (headerValue !== undefined)
    return headerValue.trim() !== '*' && !parseEtags(headerValue).some((tag) => matchesStrongEtag(tag, etag));
  const since = parseHttpDate(headers['if-unmodified-since']);
  return since !== null && toUnixSeconds(modifiedAt) > since;
}

function isNotModified(headers: IncomingHttpHeaders, { etag, modifiedAt }: FileValidators): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, etag);
  const since = parseHttpDate(headers['if-modified-since']);
  return since !== null && toUnixSeconds(modifiedAt) <= since;
}

/** If-Range: a strong tag, or exactly the date that was told. */
function matchesIfRange(
  condition: string | string[] | undefined,
  { etag, modifiedAt }: FileValidators,
): boolean {
  if (condition === undefined) return true;
  const text = String(condition).trim();
  return text.includes('"')
    ? matchesStrongEtag(text, etag)
    : parseHttpDate(text) === toUnixSeconds(modifiedAt);
}

/** What is no range is as if there were none; one that has no byte of the file is 416 (RFC 9110, section 14.1.1). */
function resolveRange(value: string, size: number): FileResponse {
  const [, from = '', to = ''] = /^\s*(\d*)-(\d*)\s*$/.exec(value) ?? [];
  if (from === '' && to === '') return { status: 200 };
  const isSuffix = from === '';
  if (isSuffix && Number(to) > 0 && size === 0) return { status: 200 };
  const first = isSuffix ? Math.max(0, size - Number(to)) : Number(from);
  const last = isSuffix || to === '' ? Number.POSITIVE_INFINITY : Number(to);
  if (last < first) return { status: 200 };
  return first >= size ? { status: 416 } : { status: 206, range: { first, last: Math.min(last, size - 1) } };
}

function parseEtags(header = ''): string[] {
  return Array.from(header.matchAll(/(?<=^|,)[ \t]*((?:W\/)?"[^"]*")[ \t]*(?=,|$)/g), ([, tag = '']) => tag);
}

function stripWeakPrefix(etag: string): string {
  return etag.replace(/^W\//, '');
}

function matchesStrongEtag(value: string, etag: string): boolean {
  return value === etag && !etag.startsWith('W/');
}

/** The three forms of RFC 9110, section 5.6.7; the last is of UTC without saying so. */
const HTTP_DATE_PATTERNS = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Seconds since 1970 of a date as HTTP writes it; null for anything else. */
function parseHttpDate(text: string | undefined): number | null {
  const date = text?.trim() ?? '';
  if (!HTTP_DATE_PATTERNS.some((form) => form.test(date))) return null;
  const at = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(at) ? null : at / 1000;
}

/** Dates of HTTP have no fractions of a second. */
function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
