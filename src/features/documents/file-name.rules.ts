import { SEEN } from '../../shared/common.schemas.ts';
import { DOCUMENT_TYPES, type DocumentType } from './document-types.rules.ts';

/** Bytes of UTF-8 of a name, at most: file systems take 255. */
const MOST_BYTES = 200;

/** What a name must not hold: controls, marks of direction, what has no width at all, noncharacters, what was no UTF-8. */
const REMOVED =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffc\ufffd]|\p{Noncharacter_Code_Point}/gu;

/** Signs that file systems give a meaning. */
const SIGNS = /[<>:"|?*]/g;

/** Names of devices, which Windows opens whatever ending they have. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;

const VISIBLE = new RegExp(SEEN, 'u');

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The name that a file is given back under: of what was given its last part, without anything that a file system or a
 * reader takes for something else, and with an ending of its type. In any script.
 */
export function safeFileName(given: string, type: DocumentType): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last.normalize('NFC').replace(REMOVED, '').replace(SIGNS, '_').replace(/\s+/g, ' ');
  const trimmed = plain.replace(/^[\s.\u200c\u200d]+|[\s.]+$/g, '');
  const named = VISIBLE.test(trimmed) ? trimmed : 'document';
  const kept = RESERVED.test(named) ? `_${named}` : named;
  const dot = kept.lastIndexOf('.');
  const endings: readonly string[] = DOCUMENT_TYPES[type];
  const isRight = dot > 0 && endings.includes(kept.slice(dot + 1).toLowerCase());
  const stem = isRight ? kept.slice(0, dot) : kept;
  const ending = isRight ? kept.slice(dot + 1) : endings[0];
  return `${cut(stem, MOST_BYTES - 6)}.${ending}`;
}

/** The beginning of a text within so many bytes, cut between what people see as characters. */
function cut(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let kept = '';
  let bytes = 0;
  for (const { segment } of graphemes.segment(text.slice(0, most))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > most) break;
    kept += segment;
  }
  return kept.trimEnd() || 'document';
}
