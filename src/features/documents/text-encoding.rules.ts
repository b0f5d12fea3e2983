import { isUtf8 } from 'node:buffer';

type TextStreamDecoder = InstanceType<typeof TextDecoder>;

export type TextEncoding = 'utf-8' | 'utf-16' | 'windows-1252';

const ALLOWED_CONTROL_BYTES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d]);
const CONTROL_CHARACTER_PATTERN = /(?![\t\n\f\r])\p{Cc}/u;

/** The five bytes that have no character. */
const UNDEFINED_WINDOWS_1252_BYTES = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** 0x80 to 0x9f; the other bytes are those of Latin 1. */
const WINDOWS_1252_CHARACTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Find the encoding of a text that arrives in chunks of bytes. */
export function createTextEncodingDetector(): {
  /** Return false as soon as no encoding is possible. */
  add(bytes: Buffer): boolean;
  /** Call it after the last chunk. `head` is the start of the content. */
  getEncoding(head: Buffer): TextEncoding | null;
} {
  let start: Buffer = Buffer.alloc(0);
  let utf16Decoder: TextStreamDecoder | null = null;
  let incompleteBytes: Buffer = Buffer.alloc(0);
  let canBeUtf8 = true;
  let canBeWindows1252 = true;
  let canBeUtf16 = true;

  function addUtf8(bytes: Buffer): void {
    const all = incompleteBytes.length === 0 ? bytes : Buffer.concat([incompleteBytes, bytes]);
    const wholeBytes = all.length - countIncompleteUtf8Bytes(all);
    incompleteBytes = Buffer.from(all.subarray(wholeBytes));
    canBeUtf8 = isUtf8(all.subarray(0, wholeBytes));
  }

  function addUtf16(bytes: Buffer): void {
    if (start.length < 2) {
      start = Buffer.concat([start, bytes]);
      if (start.length < 2) return;
      utf16Decoder = createUtf16Decoder(start);
      bytes = start;
    }
    try {
      canBeUtf16 =
        utf16Decoder !== null &&
        !CONTROL_CHARACTER_PATTERN.test(utf16Decoder.decode(bytes, { stream: true }));
    } catch {
      canBeUtf16 = false;
    }
  }

  return {
    add(bytes) {
      if (canBeUtf16) addUtf16(bytes);
      if (canBeUtf8 || canBeWindows1252) {
        if (hasControlBytes(bytes)) canBeUtf8 = canBeWindows1252 = false;
        if (canBeUtf8) addUtf8(bytes);
        canBeWindows1252 &&= !UNDEFINED_WINDOWS_1252_BYTES.some((byte) => bytes.includes(byte));
      }
      return canBeUtf8 || canBeWindows1252 || canBeUtf16;
    },
    getEncoding(head) {
      if (canBeUtf16 && utf16Decoder) return endsComplete(utf16Decoder) ? 'utf-16' : null;
      if (canBeUtf8 && incompleteBytes.length === 0) return 'utf-8';
      return canBeWindows1252 && isPlausibleWindows1252(head) ? 'windows-1252' : null;
    },
  };
}

/** Decode the start of a text; its last character may be cut. */
export function decodeTextStart(bytes: Buffer, encoding: TextEncoding): string {
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  const decoder = encoding === 'utf-16' ? createUtf16Decoder(bytes) : new TextDecoder();
  return decoder?.decode(bytes, { stream: true }) ?? '';
}

/** Convert a text to UTF-8 without a byte order mark, chunk by chunk. */
export async function* convertToUtf8(
  content: AsyncIterable<Buffer>,
  encoding: TextEncoding,
): AsyncGenerator<Buffer> {
  let decoder: TextStreamDecoder | null = null;
  let start: Buffer = Buffer.alloc(0);
  for await (const bytes of content) {
    if (encoding !== 'utf-16') {
      yield encoding === 'utf-8' ? bytes : Buffer.from(decodeWindows1252(bytes));
      continue;
    }
    start = decoder ? bytes : Buffer.concat([start, bytes]);
    decoder ??= createUtf16Decoder(start);
    if (decoder) yield Buffer.from(decoder.decode(start, { stream: true }));
  }
}

// Not TextDecoder: that of Node 20 reads Windows-1252 as Latin 1.
function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(
      /[\u0080-\u009f]/g,
      (character) => WINDOWS_1252_CHARACTERS[character.charCodeAt(0) - 0x80] ?? character,
    );
}

/** Null without a byte order mark: any two bytes are a character. */
function createUtf16Decoder(start: Buffer): TextStreamDecoder | null {
  const mark = start.length < 2 ? 0 : start.readUInt16BE(0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le', { fatal: true });
  return mark === 0xfeff ? new TextDecoder('utf-16be', { fatal: true }) : null;
}

function endsComplete(decoder: TextStreamDecoder): boolean {
  try {
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

const MAX_FOREIGN_LETTERS = 16;

/**
 * Any bytes could be Windows-1252. Text of which most is accented letters is Cyrillic, Greek, Chinese, …; text of which most
 * special characters are sequences of UTF-8 is damaged UTF-8.
 */
function isPlausibleWindows1252(head: Buffer): boolean {
  let [plainLetters, accentedLetters, specialBytes, utf8Bytes] = [0, 0, 0, 0];
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] ?? 0;
    if (byte < 0x80) {
      if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) plainLetters += 1;
      continue;
    }
    specialBytes += 1;
    if (byte >= 0xc0) accentedLetters += 1;
    if (byte >= 0xc2 && byte < 0xf5) {
      const sequence = head.subarray(at, at + getUtf8SequenceLength(byte));
      if (sequence.length > 1 && isUtf8(sequence)) utf8Bytes += sequence.length;
    }
  }
  const isOtherScript = accentedLetters > MAX_FOREIGN_LETTERS && accentedLetters > plainLetters;
  return !isOtherScript && utf8Bytes * 2 <= specialBytes;
}

/** Count the bytes at the end that start a UTF-8 character and do not complete it. */
function countIncompleteUtf8Bytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return back < getUtf8SequenceLength(byte) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function getUtf8SequenceLength(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}

function hasControlBytes(bytes: Buffer): boolean {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - (bytes.length % 4);
  for (let at = 0; at < end; at += 4) {
    // Four bytes per step, for large text files: is one of them below 0x20, or 0x7f?
    const word = words.getUint32(at);
    const other = word ^ 0x7f7f7f7f;
    const found = ((word - 0x20202020) & ~word) | ((other - 0x01010101) & ~other);
    if ((found & 0x80808080) !== 0 && hasControlByteInRange(bytes, at, at + 4)) return true;
  }
  return hasControlByteInRange(bytes, end, bytes.length);
}

function hasControlByteInRange(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 ? !ALLOWED_CONTROL_BYTES.has(byte) : byte === 0x7f) return true;
  }
  return false;
}
