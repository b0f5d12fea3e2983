import type { ContentSample, DocumentType, TypeDetectionResult } from './document-types.rules.ts';
import { detectOfficeType } from './office-archive.rules.ts';

/** What a browser or an interpreter would take for a program or a page. */
const MARKUP_PATTERN = /<(?:script|html|svg|iframe|body|head|object|embed|!doctype)[\s>/]|<\?(?:php|xml)/i;

/** The same within a picture, where programs that edit them leave an XML property list, with its DOCTYPE. */
const IMAGE_MARKUP_PATTERN = /<(?:script|html|svg|iframe|body|head|object|embed)[\s>/]|<\?php/i;

const LEGACY_OFFICE_MESSAGE =
  'Files of Office before 2007 may hold macros that cannot be seen. Save it as PDF, DOCX, XLSX or PPTX.';

/** Begin as something that is not taken: for a sentence that helps. */
const REJECTED_SIGNATURES: readonly { hexPrefix: string; message: string }[] = [
  { hexPrefix: 'd0cf11e0a1b11ae1', message: LEGACY_OFFICE_MESSAGE },
  { hexPrefix: '7b5c727466', message: 'RTF may hold programs that its readers run. Save it as PDF or DOCX.' },
  { hexPrefix: '4d5a', message: 'Programs are not taken.' },
  { hexPrefix: '7f454c46', message: 'Programs are not taken.' },
  { hexPrefix: '1f8b', message: 'Archives are not taken.' },
  { hexPrefix: '377abcaf271c', message: 'Archives are not taken.' },
  { hexPrefix: '526172211a07', message: 'Archives are not taken.' },
];

/**
 * Decides what a content is by its bytes alone; nothing is decompressed. Taken is what begins as its type, is whole where
 * the type can tell, and is not at the same time a page, a program or an archive.
 */
export function detectContentType(facts: ContentSample): TypeDetectionResult {
  const { head, tail } = facts;
  if (head.subarray(0, 4).equals(ZIP_LOCAL_SIGNATURE)) return detectOfficeType(facts);
  const binary = detectBinaryType(facts);
  if (binary) {
    const { type, refused: rejectionReason } = binary;
    if (rejectionReason) return { rejectionReason };
    if (endsWithZipArchive(facts)) return { rejectionReason: 'It is an archive at the same time.' };
    const isPage =
      type === 'application/pdf'
        ? MARKUP_PATTERN.test(head.toString('latin1', 0, 1_024))
        : IMAGE_MARKUP_PATTERN.test(head.toString('latin1')) ||
          IMAGE_MARKUP_PATTERN.test(tail.subarray(-65_536).toString('latin1'));
    return isPage ? { rejectionReason: 'It is a page for browsers at the same time.' } : { type };
  }
  if (facts.isText) return detectTextType(head);
  const known = REJECTED_SIGNATURES.find(
    ({ hexPrefix }) => head.subarray(0, hexPrefix.length / 2).toString('hex') === hexPrefix,
  );
  return { rejectionReason: known?.message ?? 'It is of no type that is taken.' };
}

/** Whether a content that is no text may be taken still, by how it begins. */
export function canBeAcceptedType(head: Buffer): boolean {
  const facts = { head, tail: head, size: head.length, isText: false };
  return head.subarray(0, 4).equals(ZIP_LOCAL_SIGNATURE) || detectBinaryType(facts) !== null;
}

const ZIP_LOCAL_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');
const ZIP_ENTRY_SIGNATURE = Buffer.from('PK\x01\x02', 'latin1');
const ZIP_END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const PNG_HEADER = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const PNG_TRAILER = Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1');

function detectBinaryType({
  head,
  tail,
  size,
}: ContentSample): { type: DocumentType; refused?: string } | null {
  const word = (from: number, to: number) => head.toString('latin1', from, to);
  if (/^%PDF-[12]\.\d/.test(word(0, 8))) {
    const isWhole = tail.subarray(-2_048).includes('%%EOF');
    return { type: 'application/pdf', ...(isWhole ? {} : INCOMPLETE_RESULT) };
  }
  if (head.subarray(0, PNG_HEADER.length).equals(PNG_HEADER))
    return {
      type: 'image/png',
      ...(tail.subarray(-PNG_TRAILER.length).equals(PNG_TRAILER) ? {} : INCOMPLETE_RESULT),
    };
  if (word(0, 3) === '\xff\xd8\xff' && (head[3] ?? 0) >= 0xc0 && head[3] !== 0xff) {
    // A first segment as long as the beginning of a comment: the head of a picture that is a script as well.
    const isScript = word(4, 6) === '/*';
    const hasScan = head.includes('\xff\xda', 2, 'latin1') || size > head.length;
    return { type: 'image/jpeg', ...(isScript || !hasScan ? INCOMPLETE_RESULT : {}) };
  }
  if (/^GIF8[79]a/.test(word(0, 6))) {
    // A width of letters: the head of a picture that is a script as well.
    const isScript = /^[\x20-\x7e]{2}/.test(word(6, 8));
    return {
      type: 'image/gif',
      ...(isScript || !/;\0*$/.test(tail.toString('latin1')) ? INCOMPLETE_RESULT : {}),
    };
  }
  if (word(0, 4) === 'RIFF' && word(8, 12) === 'WEBP') {
    const length = head.readUInt32LE(4) + 8;
    return { type: 'image/webp', ...(length === size || length + 1 === size ? {} : INCOMPLETE_RESULT) };
  }
  if (word(4, 8) === 'ftyp' && isHeic(head)) return { type: 'image/heic' };
  return null;
}

const INCOMPLETE_RESULT = {
  refused: 'It begins as one type, but is not whole, or something was added to it.',
};

/** A picture of HEVC by its brands (ISO/IEC 23008-12): the major one, or one it is compatible with. */
function isHeic(head: Buffer): boolean {
  const end = Math.min(head.readUInt32BE(0), 256, head.length);
  const brands = head.toString('latin1', 8, end).match(/.{4}/gs) ?? [];
  const own = brands[0] ?? '';
  return /^hei[cxms]$/.test(own) || (own === 'mif1' && brands.some((brand) => /^hei[cxms]$/.test(brand)));
}

function detectTextType(head: Buffer): TypeDetectionResult {
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  if (/^\s*<|^#!/.test(text) || MARKUP_PATTERN.test(text))
    return { rejectionReason: 'Pages, pictures of markup (SVG), XML and scripts are not taken.' };
  // Readers of PDF look for its beginning that far.
  if (text.slice(0, 1_024).includes('%PDF-'))
    return { rejectionReason: 'It is a PDF behind something else.' };
  if (text.startsWith('{\\rtf')) return { rejectionReason: REJECTED_SIGNATURES[1]?.message ?? '' };
  return { type: 'text/plain; charset=utf-8' };
}

/**
 * Whether the last bytes hold the end of a ZIP archive: its record, and either a comment that reaches exactly to the end, or
 * where the record says the list of entries. Readers take that whatever stands behind it.
 */
function endsWithZipArchive({ tail, size }: ContentSample): boolean {
  for (
    let at = tail.lastIndexOf(ZIP_END_SIGNATURE);
    at >= 0;
    at = at === 0 ? -1 : tail.lastIndexOf(ZIP_END_SIGNATURE, at - 1)
  ) {
    if (at + 22 > tail.length) continue;
    if (at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true;
    const entries = at - tail.readUInt32LE(at + 12);
    // What lies before the tail was not kept; a length that reaches there by chance is rarer than an archive.
    if (
      entries < 0
        ? entries + size >= tail.length
        : tail.subarray(entries, entries + 4).equals(ZIP_ENTRY_SIGNATURE)
    )
      return true;
  }
  return false;
}
