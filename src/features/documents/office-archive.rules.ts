import { inflateRawSync } from 'node:zlib';
import type {
  ContentSample,
  ContentTypeDetectionResult,
  DocumentContentType,
} from './document-types.rules.ts';

/** ECMA-376. Some writers number it. */
const OOXML_MAIN_PARTS: readonly { part: RegExp; type: DocumentContentType }[] = [
  {
    part: /^word\/document\d*\.xml$/i,
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  {
    part: /^xl\/workbook\d*\.xml$/i,
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  {
    part: /^ppt\/presentation\d*\.xml$/i,
    type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  },
];

const OPEN_DOCUMENT_TYPES: readonly DocumentContentType[] = [
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
];

const ACTIVE_CONTENT_PATTERN =
  /vba(?:project|data)|macrosheets?\/|activex|(?:^|\/)(?:basic|scripts)\/|\.(?:exe|dll|scr|com|bat|cmd|vbs?|vbe|jse?|wsf|hta|ps1|jar|class|lnk|msi|swf|(?:doc|dot|xls|xlt|ppt|pot|pps)m|ppam|xlam|xlsb)$/i;

const ZIP_DIRECTORY_SIGNATURE = 0x02014b50;
const MAX_ARCHIVE_PARTS = 20_000;

/** Reject macros. */
export function detectOfficeContentType(facts: ContentSample): ContentTypeDetectionResult {
  const parts = readArchiveParts(facts);
  if (!parts) return { rejectionReason: 'The archive is damaged or protected by a password.' };
  const names = [...parts.names];
  if (names.some((name) => ACTIVE_CONTENT_PATTERN.test(name)))
    return { rejectionReason: 'The file contains macros or programs. Save it without them, or as PDF.' };
  const openDocumentType = OPEN_DOCUMENT_TYPES.find((type) => type === parts.mimetype);
  if (openDocumentType && parts.names.has('content.xml')) return { type: openDocumentType };
  const mainPart = OOXML_MAIN_PARTS.find(({ part }) => names.some((name) => part.test(name)));
  if (mainPart && parts.names.has('[Content_Types].xml')) return { type: mainPart.type };
  return { rejectionReason: 'Archives are not supported, except for office files.' };
}

function readArchiveParts({
  head,
  tail,
  size,
}: ContentSample): { names: Set<string>; mimetype: string | null } | null {
  const end = findZipEndRecord(tail);
  if (!end || end.offset + end.length > size) return null;
  const begin = end.offset - (size - tail.length);
  // With a gap between directory and end record, readers could disagree on which directory counts.
  if (begin < 0 || begin + end.length !== end.at) return null;
  const names = new Set<string>();
  let mimetype: string | null = null;
  for (let at = begin; at < end.at; ) {
    if (at + 46 > end.at || tail.readUInt32LE(at) !== ZIP_DIRECTORY_SIGNATURE) return null;
    const isEncrypted = (tail.readUInt16LE(at + 8) & 1) === 1;
    const next =
      at + 46 + tail.readUInt16LE(at + 28) + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32);
    if (isEncrypted || next > end.at || names.size === MAX_ARCHIVE_PARTS) return null;
    const name = tail.toString('utf8', at + 46, at + 46 + tail.readUInt16LE(at + 28)).replaceAll('\\', '/');
    if (/\p{Cc}|^\/|(?:^|\/)\.\.(?:\/|$)/u.test(name) || names.has(name)) return null;
    names.add(name);
    if (name === 'mimetype') mimetype = readMediaType({ head, tail, size }, tail.subarray(at, next));
    at = next;
  }
  if (names.size === 0 || names.size !== end.count) return null;
  const first = head.toString('latin1', 30, 30 + head.readUInt16LE(26));
  if (!names.has(first)) return null;
  return { names, mimetype };
}

function findZipEndRecord(tail: Buffer) {
  for (let at = tail.length - 22; at >= Math.max(0, tail.length - 22 - 65_535); at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    const behind = tail.subarray(at + 22 + tail.readUInt16LE(at + 20));
    if (at + 22 + tail.readUInt16LE(at + 20) > tail.length || !isPadding(behind)) continue;
    const isSplit = tail.readUInt16LE(at + 4) !== 0 || tail.readUInt16LE(at + 6) !== 0;
    if (isSplit) return null;
    return {
      at,
      count: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    };
  }
  return null;
}

/** One byte, or white space and NUL: some programs end a file like that. */
function isPadding(behind: Buffer): boolean {
  return behind.length <= 1 || (behind.length <= 1_024 && /^[\0\s]*$/.test(behind.toString('latin1')));
}

const MAX_MEDIA_TYPE_BYTES = 200;

/** Read the part that a directory entry names, from the sampled bytes; null if it is long or not among them. */
function readMediaType(
  { head, tail, size }: Pick<ContentSample, 'head' | 'tail' | 'size'>,
  entry: Buffer,
): string | null {
  const [method, length, offset] = [entry.readUInt16LE(10), entry.readUInt32LE(20), entry.readUInt32LE(42)];
  const tailStart = size - tail.length;
  const from = offset >= tailStart ? tail.subarray(offset - tailStart) : head.subarray(offset);
  if (length > MAX_MEDIA_TYPE_BYTES || from.length < 30) return null;
  const begin = 30 + from.readUInt16LE(26) + from.readUInt16LE(28);
  const bytes = from.subarray(begin, begin + length);
  if (method === 0) return bytes.toString('latin1');
  if (method !== 8) return null;
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_MEDIA_TYPE_BYTES }).toString('latin1');
  } catch {
    return null;
  }
}
