import { startsForeignFile } from '../files/index.ts';
import {
  type ContentSample,
  type ContentTypeDetectionResult,
  type DocumentContentType,
  TEXT_CONTENT_TYPES,
} from './document-types.rules.ts';
import { detectOfficeContentType } from './office-archive.rules.ts';
import { decodeTextStart, type TextEncoding } from './text-encoding.rules.ts';

const MARKUP_PATTERN = /<(?:script|html|svg|iframe|body|head|object|embed|!doctype)[\s>/]|<\?(?:php|xml)/i;

/** The same for pictures: image editors store an XML property list with a DOCTYPE in them. */
const IMAGE_MARKUP_PATTERN = /<(?:script|html|svg|iframe|body|head|object|embed)[\s>/]|<\?php/i;

const LEGACY_OFFICE_MESSAGE =
  'Office files in the format before 2007 may contain hidden macros. Save the file as PDF, DOCX, XLSX or PPTX.';

const REJECTED_SIGNATURES: readonly { hexPrefix: string; message: string }[] = [
  { hexPrefix: 'd0cf11e0a1b11ae1', message: LEGACY_OFFICE_MESSAGE },
  { hexPrefix: '7b5c727466', message: 'RTF files may contain programs. Save the file as PDF or DOCX.' },
  { hexPrefix: '4d5a', message: 'Programs are not supported.' },
  { hexPrefix: '7f454c46', message: 'Programs are not supported.' },
  { hexPrefix: '1f8b', message: 'Archives are not supported.' },
  { hexPrefix: '377abcaf271c', message: 'Archives are not supported.' },
  { hexPrefix: '526172211a07', message: 'Archives are not supported.' },
];

const PASSWORD_MESSAGE = 'The file is protected by a password. Remove the password, or save the file as PDF.';
const ENCODING_MESSAGE =
  'Text must be UTF-8, UTF-16 or Windows-1252. In a spreadsheet program save the file as “CSV UTF-8”, in an editor choose the encoding UTF-8.';

/** Name of the stream in an encrypted Office file ([MS-OFFCRYPTO], 2.3.4.4). */
const ENCRYPTED_PACKAGE_NAME = Buffer.from('EncryptedPackage', 'utf16le');

/** Nothing but a media type is decompressed. Rejects incomplete files and polyglots with a page, a program or an archive. */
export function detectContentType(facts: ContentSample): ContentTypeDetectionResult {
  const { head, tail } = facts;
  if (facts.hasForeignArchive || startsForeignFile(head))
    return { rejectionReason: 'The file is an archive or a disc image, or also one.' };
  if (head.subarray(0, 4).equals(ZIP_LOCAL_SIGNATURE)) return detectOfficeContentType(facts);
  const binary = detectBinaryType(facts);
  if (binary) {
    const { type, rejectionReason } = binary;
    if (rejectionReason) return { rejectionReason };
    if (endsWithZipArchive(facts)) return { rejectionReason: 'The file is also an archive.' };
    if (type !== 'application/pdf' && facts.hasPdfHeader)
      return { rejectionReason: 'The file is also a PDF.' };
    const isPage =
      type === 'application/pdf'
        ? MARKUP_PATTERN.test(head.toString('latin1', 0, 1_024)) || MARKUP_PATTERN.test(getTextAfterPdf(tail))
        : IMAGE_MARKUP_PATTERN.test(head.toString('latin1')) ||
          IMAGE_MARKUP_PATTERN.test(tail.subarray(-65_536).toString('latin1'));
    return isPage ? { rejectionReason: 'The file is also a web page.' } : { type };
  }
  if (facts.textEncoding) return detectTextType(head, facts.textEncoding);
  if (head.includes(ENCRYPTED_PACKAGE_NAME) || tail.includes(ENCRYPTED_PACKAGE_NAME))
    return { rejectionReason: PASSWORD_MESSAGE };
  if (isTextInOtherEncoding(head)) return { rejectionReason: ENCODING_MESSAGE };
  const known = REJECTED_SIGNATURES.find(
    ({ hexPrefix }) => head.subarray(0, hexPrefix.length / 2).toString('hex') === hexPrefix,
  );
  return { rejectionReason: known?.message ?? 'The file type is not supported.' };
}

export function hasAcceptedFileSignature(head: Buffer): boolean {
  const facts = {
    head,
    tail: head,
    size: head.length,
    textEncoding: null,
    hasForeignArchive: false,
    hasPdfHeader: false,
  };
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
}: ContentSample): { type: DocumentContentType; rejectionReason?: string } | null {
  const readText = (from: number, to: number) => head.toString('latin1', from, to);
  if (PDF_START_PATTERN.test(readText(0, MAX_PDF_OFFSET_BYTES + 8))) {
    const isComplete = tail.subarray(-MAX_BYTES_AFTER_PDF).includes('%%EOF');
    return { type: 'application/pdf', ...(isComplete ? {} : INCOMPLETE_FILE_RESULT) };
  }
  if (head.subarray(0, PNG_HEADER.length).equals(PNG_HEADER))
    return {
      type: 'image/png',
      ...(tail.subarray(-PNG_TRAILER.length).equals(PNG_TRAILER) ? {} : INCOMPLETE_FILE_RESULT),
    };
  if (readText(0, 3) === '\xff\xd8\xff' && (head[3] ?? 0) >= 0xc0 && head[3] !== 0xff) {
    // A segment length that reads as the start of a comment: a JPEG that is also a script.
    const isScript = readText(4, 6) === '/*';
    const hasScan = head.includes('\xff\xda', 2, 'latin1') || size > head.length;
    return { type: 'image/jpeg', ...(isScript || !hasScan ? INCOMPLETE_FILE_RESULT : {}) };
  }
  if (/^GIF8[79]a/.test(readText(0, 6))) {
    // A width of printable characters: a GIF that is also a script.
    const isScript = /^[\x20-\x7e]{2}/.test(readText(6, 8));
    return {
      type: 'image/gif',
      ...(isScript || !/;\0*$/.test(tail.toString('latin1')) ? INCOMPLETE_FILE_RESULT : {}),
    };
  }
  if (readText(0, 4) === 'RIFF' && readText(8, 12) === 'WEBP') {
    const length = head.readUInt32LE(4) + 8;
    return { type: 'image/webp', ...(length === size || length + 1 === size ? {} : INCOMPLETE_FILE_RESULT) };
  }
  if (readText(4, 8) === 'ftyp' && isHeic(head)) return { type: 'image/heic' };
  return null;
}

/** Readers search this far for the header. */
const MAX_PDF_OFFSET_BYTES = 1_024;
/** Some programs pad a file, or add their own data. */
const MAX_BYTES_AFTER_PDF = 16_384;
/**
 * A mark or the commands of a printer may precede the header. Text that begins as another type may not: then the file would
 * be both.
 */
const PDF_START_PATTERN =
  /^(?!\s*(?:<|#!|MZ|GIF8|PK|BM|II\*|Rar!|7z|\{\\rtf|%!|RIFF))(?:\xef\xbb\xbf)?(?:[\t\n\f\r\x20-\x7e]){0,1024}?%PDF-[12]\.\d/;

function getTextAfterPdf(tail: Buffer): string {
  return tail.toString('latin1', tail.lastIndexOf('%%EOF'));
}

/** `Cc` without tab, line feed, form feed and carriage return; in Latin 1 the upper control bytes are letters elsewhere. */
const CONTROL_BYTES_PATTERN = /(?![\t\n\f\r\u0080-\u009f])\p{Cc}/u;

/** Text that could not be read: damaged, or of another script. */
function isTextInOtherEncoding(head: Buffer): boolean {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0);
  return mark === 0xfffe || mark === 0xfeff || !CONTROL_BYTES_PATTERN.test(head.toString('latin1'));
}

const INCOMPLETE_FILE_RESULT = {
  rejectionReason: 'The file is incomplete, or data was added to it.',
};

/** ISO/IEC 23008-12. */
function isHeic(head: Buffer): boolean {
  const end = Math.min(head.readUInt32BE(0), 256, head.length);
  const brands = head.toString('latin1', 8, end).match(/.{4}/gs) ?? [];
  const own = brands[0] ?? '';
  return /^hei[cxms]$/.test(own) || (own === 'mif1' && brands.some((brand) => /^hei[cxms]$/.test(brand)));
}

function detectTextType(head: Buffer, encoding: TextEncoding): ContentTypeDetectionResult {
  const text = decodeTextStart(head, encoding);
  // Also as somebody reads it who ignores the encoding.
  for (const reading of encoding === 'utf-16' ? [text, head.toString('latin1')] : [text]) {
    if (/^\s*<|^#!/.test(reading) || MARKUP_PATTERN.test(reading))
      return { rejectionReason: 'HTML, SVG, XML and scripts are not supported.' };
    // PDF readers search this far for the header.
    if (reading.slice(0, 1_024).includes('%PDF-'))
      return { rejectionReason: 'The file contains a PDF after other content.' };
    if (reading.startsWith('{\\rtf')) return { rejectionReason: REJECTED_SIGNATURES[1]?.message ?? '' };
  }
  return { type: TEXT_CONTENT_TYPES[encoding] };
}

/** Readers accept an archive regardless of what precedes it. */
function endsWithZipArchive({ tail, size }: ContentSample): boolean {
  for (
    let at = tail.lastIndexOf(ZIP_END_SIGNATURE);
    at >= 0;
    at = at === 0 ? -1 : tail.lastIndexOf(ZIP_END_SIGNATURE, at - 1)
  ) {
    if (at + 22 > tail.length) continue;
    if (at + 22 + tail.readUInt16LE(at + 20) === tail.length) return true;
    const entries = at - tail.readUInt32LE(at + 12);
    // Bytes before the tail are unknown. A length that points there by chance is rarer than an archive.
    if (
      entries < 0
        ? entries + size >= tail.length
        : tail.subarray(entries, entries + 4).equals(ZIP_ENTRY_SIGNATURE)
    )
      return true;
  }
  return false;
}
