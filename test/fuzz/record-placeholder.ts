export type RecordOwnership = 'own' | 'any' | 'absent';

/**
 * Placeholder in a planned request for a value that only the running service has: a record id, a token, an email
 * address or a file name. It is resolved when the request is sent, so that plans are deterministic.
 */
export interface RecordPlaceholder {
  $pick: 'id' | 'token' | 'email' | 'file';
  /** `qrcode` for ids, `scantoken` for tokens, `profile-pictures` for files. */
  of: string;
  ownership: RecordOwnership;
  index: number;
}

export function isRecordPlaceholder(value: unknown): value is RecordPlaceholder {
  return typeof value === 'object' && value !== null && '$pick' in value;
}

/** Normalize names of tables, fields and headers: `X-Scan-Token`, `scanToken` → `scantoken`. */
export function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x-/, '')
    .replace(/[^a-z]/g, '');
}

/** Encode as UTF-8; a lone surrogate becomes the bytes of a naive encoder, not U+FFFD. */
export function encodeLenientUtf8(text: string): Buffer {
  if (!/\p{Cs}/u.test(text)) return Buffer.from(text);
  return Buffer.concat(
    [...text].map((one) => (isLoneSurrogate(one) ? ENCODED_SURROGATE_PREFIX : Buffer.from(one))),
  );
}

/** Percent-encode text for a URL in the same way. */
export function percentEncode(text: string): string {
  if (!/\p{Cs}/u.test(text)) return encodeURIComponent(text);
  return [...text].map((one) => (isLoneSurrogate(one) ? '%ED%A0%80' : encodeURIComponent(one))).join('');
}

const ENCODED_SURROGATE_PREFIX = Buffer.from([0xed, 0xa0, 0x80]);

function isLoneSurrogate(character: string): boolean {
  return /^\p{Cs}$/u.test(character);
}
