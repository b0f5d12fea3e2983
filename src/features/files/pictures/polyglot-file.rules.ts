import { containsForeignArchive, startsForeignFile } from '../foreign-archive.rules.ts';

/**
 * Content that browsers, interpreters and viewers run or open at any offset; each pattern is long enough not
 * to occur by chance in 20 MB.
 */
const ACTIVE_CONTENT_PATTERN =
  /<(?:script[\s>]|svg(?:>|\s+[\w:-]{2,30}\s*=)|html[\s>]|!doctype html|\?php\s)|%PDF-\d/i;

const ZIP_END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const ZIP_ENTRY_SIGNATURE = Buffer.from('PK\x01\x02', 'latin1');
const ZIP_END_BYTES = 22;
/** A zip may end with a comment of the maximum length. */
const MAX_ZIP_END_OFFSET_BYTES = ZIP_END_BYTES + 65_535;

/**
 * Check whether a picture is also an archive (of any kind), a disc image, a DICOM file, a PDF, a page or a script. Redrawing
 * would remove that, but no camera makes such a file.
 */
export function isPolyglotFile(bytes: Buffer): boolean {
  return (
    isScript(bytes) ||
    isZip(bytes) ||
    startsForeignFile(bytes) ||
    containsForeignArchive(bytes) ||
    ACTIVE_CONTENT_PATTERN.test(bytes.toString('latin1'))
  );
}

/**
 * Check for a header that a script continues: a comment or an assignment where the size of the picture or of
 * its first segment belongs.
 */
function isScript(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 8);
  return /^GIF8[79]a(?:\/[*/]|=)/.test(start) || /^\xff\xd8\xff\xe0\/\*/.test(start);
}

/** Read from the end as zip readers do: end record, directory, entry. */
function isZip(bytes: Buffer): boolean {
  const within = bytes.subarray(Math.max(0, bytes.length - MAX_ZIP_END_OFFSET_BYTES));
  for (
    let at = within.lastIndexOf(ZIP_END_SIGNATURE);
    at >= 0;
    at = at > 0 ? within.lastIndexOf(ZIP_END_SIGNATURE, at - 1) : -1
  ) {
    if (at + ZIP_END_BYTES > within.length) continue;
    const entries = bytes.length - within.length + at - within.readUInt32LE(at + 12);
    if (
      entries >= 0 &&
      bytes.subarray(entries, entries + ZIP_ENTRY_SIGNATURE.length).equals(ZIP_ENTRY_SIGNATURE)
    )
      return true;
  }
  return false;
}
