import { describeCharacter } from '../../shared/unusual-characters.ts';

export interface TextInputError {
  code: 'CONTROL_CHARACTER' | 'INVALID_UNICODE' | 'TOO_LONG';
  message: string;
}

export const MAX_TEXT_BYTES = 65_536;

const SUSPECT_CHARACTER_PATTERN = /[\p{Cc}\p{Cs}]/u;
const LONE_SURROGATE_PATTERN = /\p{Cs}/u;

/** Find a C0 control but LF and tab, a lone surrogate (PostgreSQL would store U+FFFD), or too many bytes. */
export function findTextInputError(
  text: string,
  maxBytes: number = MAX_TEXT_BYTES,
): TextInputError | undefined {
  // A UTF-16 unit takes at most three bytes of UTF-8, so short texts need no count.
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
      const character = describeCharacter(text, index);
      return {
        code: 'CONTROL_CHARACTER',
        message: `Must not contain control characters. It has ${character}.`,
      };
    }
  }
  return undefined;
}

/** Check for names that reach into JavaScript prototypes (CWE-1321). */
export function isPrototypePath(name: string): boolean {
  return name.split(/[.[\]]/).some((part) => ['__proto__', 'constructor', 'prototype'].includes(part));
}
