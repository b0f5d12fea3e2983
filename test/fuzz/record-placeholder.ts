/** Whose record a request names. */
export type RecordOwnership = 'own' | 'any' | 'absent';

/**
 * A place in a planned request for something that only the running service has: the id of a record, a token, an
 * address, the name of a file. Plans stay the same from run to run; what fills them is looked up when they are sent.
 */
export interface RecordPlaceholder {
  $pick: 'id' | 'token' | 'email' | 'file';
  /** What of: `qrcode` for ids, `scantoken` for tokens, `profile-pictures` for files. */
  of: string;
  ownership: RecordOwnership;
  /** Which of those there are. */
  index: number;
}

export function isRecordPlaceholder(value: unknown): value is RecordPlaceholder {
  return typeof value === 'object' && value !== null && '$pick' in value;
}

/** A name as tables, fields and headers have in common: `X-Scan-Token`, `scanToken` → `scantoken`. */
export function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x-/, '')
    .replace(/[^a-z]/g, '');
}

/** Text as UTF-8; a lone surrogate becomes the bytes that a careless encoder writes for it, never U+FFFD. */
export function encodeLenientUtf8(text: string): Buffer {
  if (!/\p{Cs}/u.test(text)) return Buffer.from(text);
  return Buffer.concat(
    [...text].map((one) => (isLoneSurrogate(one) ? ENCODED_SURROGATE_PREFIX : Buffer.from(one))),
  );
}

/** Text for a URL, encoded in the same way. */
export function percentEncode(text: string): string {
  if (!/\p{Cs}/u.test(text)) return encodeURIComponent(text);
  return [...text].map((one) => (isLoneSurrogate(one) ? '%ED%A0%80' : encodeURIComponent(one))).join('');
}

const ENCODED_SURROGATE_PREFIX = Buffer.from([0xed, 0xa0, 0x80]);

function isLoneSurrogate(character: string): boolean {
  return /^\p{Cs}$/u.test(character);
}
