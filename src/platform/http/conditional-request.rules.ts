import type { IncomingHttpHeaders } from 'node:http';

export interface FileValidators {
  etag: string;
  /** Two contents of one file never have the same second. */
  modifiedAt: Date;
  size: number;
}

/** Both ends inclusive. */
interface ByteRange {
  first: number;
  last: number;
}

export type ConditionalRequestResult = { status: 200 | 304 | 412 | 416 } | { status: 206; range: ByteRange };

export function computeFileEtag({ size, modifiedAt }: Pick<FileValidators, 'size' | 'modifiedAt'>): string {
  return `W/"${size.toString(16)}-${modifiedAt.getTime().toString(16)}"`;
}

/** Compare an If-None-Match header weakly, with lists and `*` (RFC 9110, section 13.1.2). */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  return header?.trim() === '*' || matchesEntityTag(header, etag);
}

/** What Apache, Jetty and others add to the tag of a response that they compress. */
const PROXY_SUFFIX_PATTERN = /--?(?:gzip|br|zstd|deflate)"$/;

/** Compare a list of tags weakly, in the forms that proxies give a tag. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  const current = stripWeakPrefix(etag);
  return parseEtags(header)
    .map(stripWeakPrefix)
    .some((tag) => tag === current || tag.replace(PROXY_SUFFIX_PATTERN, '"') === current);
}

/** Evaluate conditions (RFC 9110, section 13.2.2), then a range; several ranges are 416: costly (CVE-2011-3192). */
export function evaluateConditionalRequest(
  headers: IncomingHttpHeaders,
  method: string,
  file: FileValidators,
): ConditionalRequestResult {
  if (failsPrecondition(headers, file)) return { status: 412 };
  if (isNotModified(headers, file)) return { status: 304 };
  const headerValue = method === 'GET' ? /^bytes=(.*)$/i.exec(headers.range?.trim() ?? '')?.[1] : undefined;
  if (headerValue === undefined || !matchesIfRange(headers['if-range'], file)) return { status: 200 };
  // List elements can be empty (RFC 9110, section 5.6.1.2).
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
  if (ifNoneMatch !== undefined) return matchesIfNoneMatch(ifNoneMatch, etag);
  const since = parseHttpDate(headers['if-modified-since']);
  return since !== null && toUnixSeconds(modifiedAt) <= since;
}

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

/** An invalid range is ignored; an unsatisfiable one is 416 (RFC 9110, section 14.1.1). */
function resolveRange(value: string, size: number): ConditionalRequestResult {
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

/** The three formats of RFC 9110, section 5.6.7; the last one is implicitly UTC. */
const HTTP_DATE_PATTERNS = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

function parseHttpDate(text: string | undefined): number | null {
  const date = text?.trim() ?? '';
  if (!HTTP_DATE_PATTERNS.some((form) => form.test(date))) return null;
  const at = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(at) ? null : at / 1000;
}

function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
