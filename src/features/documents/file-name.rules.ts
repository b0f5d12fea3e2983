import { VISIBLE_CHARACTER } from '../../shared/common.schemas.ts';
import { DOCUMENT_TYPE_EXTENSIONS, type DocumentType } from './document-types.rules.ts';

/** Bytes of UTF-8 of a name, at most: file systems take 255. */
const MAX_FILE_NAME_BYTES = 200;

/** What a name must not hold: controls, marks of direction, what has no width at all, noncharacters, what was no UTF-8. */
const REMOVED_CHARACTERS =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffc\ufffd]|\p{Noncharacter_Code_Point}/gu;

/** Signs that file systems give a meaning. */
const REPLACED_CHARACTERS = /[<>:"|?*]/g;

/** Names of devices, which Windows opens whatever ending they have. */
const RESERVED_NAME_PATTERN =
  /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;

const VISIBLE_PATTERN = new RegExp(VISIBLE_CHARACTER, 'u');

const graphemeSegmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The name that a file is given back under: of what was given its last part, without anything that a file system or a
 * reader takes for something else, and with an ending of its type. In any script.
 */
export function sanitizeFileName(input: string, type: DocumentType): string {
  const last = input.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replace(REMOVED_CHARACTERS, '')
    .replace(REPLACED_CHARACTERS, '_')
    .replace(/\s+/g, ' ');
  const trimmed = plain.replace(/^[\s.\u200c\u200d]+|[\s.]+$/g, '');
  const named = VISIBLE_PATTERN.test(trimmed) ? trimmed : 'document';
  const result = RESERVED_NAME_PATTERN.test(named) ? `_${named}` : named;
  const dot = result.lastIndexOf('.');
  const endings: readonly string[] = DOCUMENT_TYPE_EXTENSIONS[type];
  const isRight = dot > 0 && endings.includes(result.slice(dot + 1).toLowerCase());
  const stem = isRight ? result.slice(0, dot) : result;
  const ending = isRight ? result.slice(dot + 1) : endings[0];
  return `${truncateToBytes(stem, MAX_FILE_NAME_BYTES - 6)}.${ending}`;
}

/** The beginning of a text within so many bytes, cut between what people see as characters. */
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
