import { ServiceError } from '../../../shared/errors.ts';
import { isLikelyWindows1252 } from './legacy-encoding.rules.ts';

type TextStreamDecoder = InstanceType<typeof TextDecoder>;

const NO_TEXT_DETAIL =
  'Send CSV or JSON Lines in UTF-8 or UTF-16. In a spreadsheet program save as “CSV UTF-8”.';

const UTF16_BY_MARK = new Map([
  [0xfffe, 'utf-16le'],
  [0xfeff, 'utf-16be'],
]);

/** Blank lines before JSON Lines. */
const MAX_LEADING_BLANKS = 1_000;

/** Bytes of the longest character in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/**
 * Convert UTF-16 with a byte order mark, and CSV in Windows-1252, which spreadsheets on Windows save, where the text
 * looks like it to a user of this language. Refuse all else but UTF-8, such as workbooks. @throws FILE_TYPE_UNSUPPORTED
 */
export async function* convertToUtf8(
  content: AsyncIterable<Uint8Array>,
  language: string,
): AsyncGenerator<Uint8Array> {
  let decoder: TextStreamDecoder | null = null;
  let isStart = true;
  let isJson = false;
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  // The end of the text before: a word can be in two chunks.
  let tail = '';
  for await (const chunk of content) {
    const bytes: Buffer = Buffer.concat([rest, chunk]);
    rest = Buffer.alloc(0);
    if (isStart && bytes.length < 2) {
      rest = bytes;
      continue;
    }
    if (isStart) {
      const encoding = UTF16_BY_MARK.get(bytes.readUInt16BE(0));
      if (encoding) decoder = new TextDecoder(encoding, { fatal: true });
      isJson = /^\s*\{/.test(bytes.toString('latin1', 0, MAX_LEADING_BLANKS));
      isStart = false;
    }
    const first = decoder ? 0 : bytes.findIndex((byte) => byte > 0x7f);
    // The first character beyond ASCII decides. It can be in two chunks.
    const isUndecided = !decoder && first !== -1 && bytes.length - first < MAX_CHARACTER_BYTES;
    if (isUndecided) rest = bytes.subarray(first);
    const whole = isUndecided ? bytes.subarray(0, first) : bytes;
    if (!decoder && first !== -1 && !isUndecided) decoder = chooseDecoder(bytes.subarray(first));
    yield convert(whole);
  }
  if (rest.length > 0) {
    decoder ??= chooseDecoder(rest);
    yield convert(rest);
  }
  if (decoder) decode(decoder);

  function chooseDecoder(bytes: Buffer): TextStreamDecoder {
    return new TextDecoder(isUtf8Character(bytes) ? 'utf-8' : 'windows-1252', { fatal: true });
  }

  function convert(bytes: Buffer): Uint8Array {
    const text = decoder ? decode(decoder, bytes) : bytes.toString('latin1');
    if (text.includes('\0')) throw new ServiceError('FILE_TYPE_UNSUPPORTED', { detail: NO_TEXT_DETAIL });
    if (decoder?.encoding === 'windows-1252') assertWindows1252(text);
    line += text.split('\n').length - 1;
    return !decoder || decoder.encoding === 'utf-8' ? bytes : Buffer.from(text);
  }

  function assertWindows1252(text: string): void {
    const lines = (tail + text).split('\n');
    tail = (lines.at(-1) ?? '').slice(-2);
    const wrong = lines.findIndex((each) => !isLikelyWindows1252(each, language));
    if (!isJson && wrong === -1) return;
    const at = wrong === -1 ? lines.findIndex((each) => /\P{ASCII}/u.test(each)) : wrong;
    throw new ServiceError('FILE_TYPE_UNSUPPORTED', {
      detail: `Line ${line + at} has characters that are not UTF-8. Save the file again: in Excel as “CSV UTF-8 (Comma delimited)”, in LibreOffice with the character set “Unicode (UTF-8)”.`,
    });
  }

  function decode(from: TextStreamDecoder, bytes?: Uint8Array): string {
    try {
      return from.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new ServiceError('FILE_TYPE_UNSUPPORTED', { detail: NO_TEXT_DETAIL, cause });
    }
  }
}

function isUtf8Character(bytes: Buffer): boolean {
  const [lead = 0] = bytes;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
    return true;
  } catch {
    return false;
  }
}
