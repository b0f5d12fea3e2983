import type { ContentFacts, DocumentType, Verdict } from './document-types.rules.ts';
import { officeType } from './office-archive.rules.ts';

/** What a browser or an interpreter would take for a program or a page. */
const MARKUP = /<(?:script|html|svg|iframe|body|head|object|embed|!doctype)[\s>/]|<\?(?:php|xml)/i;

/** The same within a picture, where programs that edit them leave an XML property list, with its DOCTYPE. */
const MARKUP_IN_PICTURE = /<(?:script|html|svg|iframe|body|head|object|embed)[\s>/]|<\?php/i;

const OLD_OFFICE =
  'Files of Office before 2007 may hold macros that cannot be seen. Save it as PDF, DOCX, XLSX or PPTX.';

/** Begin as something that is not taken: for a sentence that helps. */
const KNOWN_OTHERS: readonly { begins: string; sentence: string }[] = [
  { begins: 'd0cf11e0a1b11ae1', sentence: OLD_OFFICE },
  { begins: '7b5c727466', sentence: 'RTF may hold programs that its readers run. Save it as PDF or DOCX.' },
  { begins: '4d5a', sentence: 'Programs are not taken.' },
  { begins: '7f454c46', sentence: 'Programs are not taken.' },
  { begins: '1f8b', sentence: 'Archives are not taken.' },
  { begins: '377abcaf271c', sentence: 'Archives are not taken.' },
  { begins: '526172211a07', sentence: 'Archives are not taken.' },
];

/**
 * Decides what a content is by its bytes alone; nothing is decompressed. Taken is what begins as its type, is whole where
 * the type can tell, and is not at the same time a page, a program or an archive.
 */
export function typeOf(facts: ContentFacts): Verdict {
  const { head, tail } = facts;
  if (head.subarray(0, 4).equals(ZIP_LOCAL)) return officeType(facts);
  const binary = binaryType(facts);
  if (binary) {
    const { type, refused } = binary;
    if (refused) return { refused };
    if (endsAsArchive(facts)) return { refused: 'It is an archive at the same time.' };
    const isPage =
      type === 'application/pdf'
        ? MARKUP.test(head.toString('latin1', 0, 1_024))
        : MARKUP_IN_PICTURE.test(head.toString('latin1')) ||
          MARKUP_IN_PICTURE.test(tail.subarray(-65_536).toString('latin1'));
    return isPage ? { refused: 'It is a page for browsers at the same time.' } : { type };
  }
  if (facts.isText) return textType(head);
  const known = KNOWN_OTHERS.find(
    ({ begins }) => head.subarray(0, begins.length / 2).toString('hex') === begins,
  );
  return { refused: known?.sentence ?? 'It is of no type that is taken.' };
}

/** Whether a content that is no text may be taken still, by how it begins. */
export function couldBeTaken(head: Buffer): boolean {
  const facts = { head, tail: head, size: head.length, isText: false };
  return head.subarray(0, 4).equals(ZIP_LOCAL) || binaryType(facts) !== null;
}

const ZIP_LOCAL = Buffer.from('PK\x03\x04', 'latin1');
const ZIP_ENTRY = Buffer.from('PK\x01\x02', 'latin1');
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
const PNG_BEGIN = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const PNG_END = Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1');

function binaryType({ head, tail, size }: ContentFacts): { type: DocumentType; refused?: string } | null {
  const word = (from: number, to: number) => head.toString('latin1', from, to);
  if (/^%PDF-[12]\.\d/.test(word(0, 8))) {
    const isWhole = tail.subarray(-2_048).includes('%%EOF');
    return { type: 'application/pdf', ...(isWhole ? {} : CUT) };
  }
  if (head.subarray(0, PNG_BEGIN.length).equals(PNG_BEGIN))
    return { type: 'image/png', ...(tail.subarray(-PNG_END.length).equals(PNG_END) ? {} : CUT) };
  if (word(0, 3) === '\xff\xd8\xff' && (head[3] ?? 0) >= 0xc0 && head[3] !== 0xff) {
    // A first segment as long as the beginning of a comment: the head of a picture that is a script as well.
    const isScript = word(4, 6) === '/*';
    const hasScan = head.includes('\xff\xda', 2, 'latin1') || size > head.length;
    return { type: 'image/jpeg', ...(isScript || !hasScan ? CUT : {}) };
  }
  if (/^GIF8[79]a/.test(word(0, 6))) {
    // A width of letters: the head of a picture that is a script as well.
    const isScript = /^[\x20-\x7e]{2}/.test(word(6, 8));
    return { type: 'image/gif', ...(isScript || !/;\0*$/.test(tail.toString('latin1')) ? CUT : {}) };
  }
  if (word(0, 4) === 'RIFF' && word(8, 12) === 'WEBP') {
    const length = head.readUInt32LE(4) + 8;
    return { type: 'image/webp', ...(length === size || length + 1 === size ? {} : CUT) };
  }
  if (word(4, 8) === 'ftyp' && isHeic(head)) return { type: 'image/heic' };
  return null;
}

const CUT = { refused: 'It begins as one type, but is not whole, or something was added to it.' };

/** A picture of HEVC by its brands (ISO/IEC 23008-12): the major one, or one it is compatible with. */
function isHeic(head: Buffer): boolean {
  const end = Math.min(head.readUInt32BE(0), 256, head.length);
  const brands = head.toString('latin1', 8, end).match(/.{4}/gs) ?? [];
  const own = brands[0] ?? '';
  return /^hei[cxms]$/.test(own) || (own === 'mif1' && brands.some((brand) => /^hei[cxms]$/.test(brand)));
}

function textType(head: Buffer): Verdict {
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  if (/^\s*<|^#!/.test(text) || MARKUP.test(text))
    return { refused: 'Pages, pictures of markup (SVG), XML and scripts are not taken.' };
  // Readers of PDF look for its beginning that far.
  if (text.slice(0, 1_024).includes('%PDF-')) return { refused: 'It is a PDF behind something else.' };
  if (text.startsWith('{\\rtf')) return { refused: KNOWN_OTHERS[1]?.sentence ?? '' };
  return { type: 'text/plain; charset=utf-8' };
}

/**
 * Whether the last bytes hold the end of a ZIP archive: its record, and either a comment that reaches exactly to the end, or
 * where the record says the list of entries. Readers take that whatever stands behind it.
 */
function endsAsArchive({ tail, size }: ContentFacts): boolean {
  for (let at = tail.lastIndexOf(ZIP_END); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(ZIP_END, at - 1)) {
    if (at + 22 > tail.length) continue;
    if (at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true;
    const entries = at - tail.readUInt32LE(at + 12);
    // What lies before the tail was not kept; a length that reaches there by chance is rarer than an archive.
    if (entries < 0 ? entries + size >= tail.length : tail.subarray(entries, entries + 4).equals(ZIP_ENTRY))
      return true;
  }
  return false;
}
