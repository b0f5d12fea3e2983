/** Whose record a request names. */
export type Whose = 'own' | 'any' | 'absent';

/**
 * A place in a planned request for something that only the running service has: the id of a record, a token, an
 * address, the name of a file. Plans stay the same from run to run; what fills them is looked up when they are sent.
 */
export interface Pick {
  $pick: 'id' | 'token' | 'email' | 'file';
  /** What of: `qrcode` for ids, `scantoken` for tokens, `profile-pictures` for files. */
  of: string;
  whose: Whose;
  /** Which of those there are. */
  nth: number;
}

export function isPick(value: unknown): value is Pick {
  return typeof value === 'object' && value !== null && '$pick' in value;
}

/** A name as tables, fields and headers have in common: `X-Scan-Token`, `scanToken` → `scantoken`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x-/, '')
    .replace(/[^a-z]/g, '');
}

/** Text as UTF-8; a lone surrogate becomes the bytes that a careless encoder writes for it, never U+FFFD. */
export function carelessUtf8(text: string): Buffer {
  if (!/\p{Cs}/u.test(text)) return Buffer.from(text);
  return Buffer.concat([...text].map((one) => (isLone(one) ? LONE : Buffer.from(one))));
}

/** Text for a URL, encoded in the same way. */
export function percentEncoded(text: string): string {
  if (!/\p{Cs}/u.test(text)) return encodeURIComponent(text);
  return [...text].map((one) => (isLone(one) ? '%ED%A0%80' : encodeURIComponent(one))).join('');
}

const LONE = Buffer.from([0xed, 0xa0, 0x80]);

function isLone(character: string): boolean {
  return /^\p{Cs}$/u.test(character);
}
