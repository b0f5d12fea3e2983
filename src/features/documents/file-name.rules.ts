import { VISIBLE_CHARACTER_PATTERN } from '../../shared/common.schemas.ts';
import { type DocumentContentType, FILE_EXTENSIONS_BY_CONTENT_TYPE } from './document-types.rules.ts';

/** UTF-8 bytes; file systems allow 255. */
const MAX_FILE_NAME_BYTES = 200;

/** Control, bidirectional, zero-width and replacement characters, lone surrogates, noncharacters. */
const REMOVED_CHARACTERS =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffc\ufffd]|\p{Noncharacter_Code_Point}/gu;

/** Reserved by file systems. */
const REPLACED_CHARACTERS = /[<>:"|?*]/g;

/** Windows device names, with any extension. */
const RESERVED_NAME_PATTERN =
  /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;

const VISIBLE_PATTERN = new RegExp(VISIBLE_CHARACTER_PATTERN, 'u');

const graphemeSegmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

export function sanitizeFileName(input: string, type: DocumentContentType): string {
  const last = input.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replace(REMOVED_CHARACTERS, '')
    .replace(REPLACED_CHARACTERS, '_')
    .replace(/\s+/g, ' ');
  const trimmed = trimEnd(plain.replace(/^[\s.\u200c\u200d]+/, ''));
  const named = VISIBLE_PATTERN.test(trimmed) ? trimmed : 'document';
  const result = RESERVED_NAME_PATTERN.test(named) ? `_${named}` : named;
  const dotIndex = result.lastIndexOf('.');
  const extensions: readonly string[] = FILE_EXTENSIONS_BY_CONTENT_TYPE[type];
  const hasExtension = dotIndex > 0 && extensions.includes(result.slice(dotIndex + 1).toLowerCase());
  const stem = hasExtension ? result.slice(0, dotIndex) : result;
  const extension = hasExtension ? result.slice(dotIndex + 1) : extensions[0];
  return `${truncateToBytes(stem, MAX_FILE_NAME_BYTES - 6)}.${extension}`;
}

/** A pattern with `+$` would take quadratic time. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Cut at a grapheme boundary. */
function truncateToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let result = '';
  let bytes = 0;
  for (const { segment } of graphemeSegmenter.segment(text.slice(0, maxBytes))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    result += segment;
  }
  return result.trimEnd() || 'document';
}
