import type { IncomingHttpHeaders } from 'node:http';
import { matchesEtag } from './etag.ts';

/** What conditions and ranges of a request are compared with. */
export interface Validators {
  size: number;
  modifiedAt: Date;
  etag: string;
}

/** How a request for a file is answered: with all of it, a range, or none of it. */
export type FileAnswer =
  | { status: 200 | 304 | 412 | 416 }
  | { status: 206; range: { first: number; last: number } };

/** A weak validator of a file (RFC 9110, section 8.8.1): its size and when it was last written. */
export function fileEtag({ size, modifiedAt }: Pick<Validators, 'size' | 'modifiedAt'>): string {
  return `W/"${size.toString(16)}-${modifiedAt.getTime().toString(16)}"`;
}

/**
 * Decides about a GET or HEAD by its conditions, in the order of RFC 9110, section 13.2.2, then by its range. Several
 * ranges are refused whatever else it says: many small ones of one file cost more than they are worth (CVE-2011-3192).
 */
export function fileAnswer(headers: IncomingHttpHeaders, file: Validators): FileAnswer {
  if (headers.range?.includes(',')) return { status: 416 };
  if (isOtherThanWanted(headers, file)) return { status: 412 };
  if (isKnown(headers, file)) return { status: 304 };
  const wanted = /^ *bytes=(.*)$/.exec(headers.range ?? '')?.[1];
  if (wanted === undefined || !isRangeOfThis(headers['if-range'], file)) return { status: 200 };
  const range = rangeIn(wanted, file.size);
  return range ? { status: 206, range } : { status: 416 };
}

function isOtherThanWanted(headers: IncomingHttpHeaders, file: Validators): boolean {
  const { 'if-match': match, 'if-unmodified-since': since } = headers;
  if (match !== undefined) return !matchesEtag(match, file.etag);
  return secondsOf(file) > Date.parse(since ?? '');
}

function isKnown(headers: IncomingHttpHeaders, file: Validators): boolean {
  const { 'if-none-match': known, 'if-modified-since': since } = headers;
  if (known !== undefined) return matchesEtag(known, file.etag);
  return secondsOf(file) <= Date.parse(since ?? '');
}

function isRangeOfThis(condition: string | string[] | undefined, file: Validators): boolean {
  if (condition === undefined) return true;
  const text = String(condition);
  return text.includes('"') ? matchesEtag(text, file.etag) : secondsOf(file) <= Date.parse(text);
}

/** Dates of HTTP have no fractions of a second. */
function secondsOf({ modifiedAt }: Validators): number {
  return Math.floor(modifiedAt.getTime() / 1000) * 1000;
}

function rangeIn(wanted: string, size: number): { first: number; last: number } | null {
  const [, begin = '', end = ''] = /^ *(\d*) *- *(\d*) *$/.exec(wanted) ?? [];
  if (begin === '' && end === '') return null;
  const first = begin === '' ? Math.max(0, size - Number(end)) : Number(begin);
  const last = begin === '' || end === '' ? size - 1 : Math.min(Number(end), size - 1);
  return first <= last ? { first, last } : null;
}
