/** Why a piece of text is refused wherever it comes from. */
export interface TextError {
  code: 'CONTROL_CHARACTER' | 'INVALID_UNICODE' | 'TOO_LONG';
  message: string;
}

/** Longest text taken in any field, in bytes of UTF-8 (64 KiB). */
export const MAX_TEXT_BYTES = 65_536;

const SUSPECT_CHARACTER_PATTERN = /[\p{Cc}\p{Cs}]/u;
const LONE_SURROGATE_PATTERN = /\p{Cs}/u;

/**
 * What is wrong with a text, or undefined: NUL and the C0 controls but line feed and tab, a lone surrogate
 * (PostgreSQL would store U+FFFD in its place), or more bytes than `maxBytes`.
 */
export function findTextError(text: string, maxBytes: number = MAX_TEXT_BYTES): TextError | undefined {
  // A UTF-16 unit takes three bytes of UTF-8 at most, so short texts need no count.
  if (text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)) {
    return { code: 'TOO_LONG', message: `Must be at most ${maxBytes} bytes.` };
  }
  if (!SUSPECT_CHARACTER_PATTERN.test(text)) return undefined;
  if (LONE_SURROGATE_PATTERN.test(text)) {
    return { code: 'INVALID_UNICODE', message: 'Must be well-formed Unicode text.' };
  }
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 && unit !== 0x09 && unit !== 0x0a) {
      return { code: 'CONTROL_CHARACTER', message: 'Must not contain control characters.' };
    }
  }
  return undefined;
}

/** Names that reach into JavaScript's prototypes: refused as keys of queries and forms (CWE-1321). */
export function isPrototypePath(name: string): boolean {
  return name.split(/[.[\]]/).some((part) => ['__proto__', 'constructor', 'prototype'].includes(part));
}
