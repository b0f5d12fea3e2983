/**
 * What browsers, interpreters and viewers begin to run or to open wherever in a file they find it: each long enough not to
 * come about by chance in 20 MB.
 */
const ACTIVE_CONTENT_PATTERN =
  /<(?:script[\s>]|svg(?:>|\s+[\w:-]{2,30}\s*=)|html[\s>]|!doctype html|\?php\s)|%PDF-\d/i;

const ZIP_END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const ZIP_ENTRY_SIGNATURE = Buffer.from('PK\x01\x02', 'latin1');
const ZIP_END_BYTES = 22;
/** A comment of the longest may stand behind the end of a zip. */
const MAX_ZIP_END_OFFSET_BYTES = ZIP_END_BYTES + 65_535;

/**
 * Whether a picture is something else as well: a zip (Java archives and office files are), a PDF, a page, a script. What
 * is kept is drawn anew and would have nothing of it; yet nobody's camera makes such a file.
 */
export function isPolyglotFile(bytes: Buffer): boolean {
  return isScript(bytes) || isZip(bytes) || ACTIVE_CONTENT_PATTERN.test(bytes.toString('latin1'));
}

/** A head that a script goes on from: where the size of the picture, or of its first segment, should be, a comment or an assignment begins. */
function isScript(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 8);
  return /^GIF8[79]a(?:\/[*/]|=)/.test(start) || /^\xff\xd8\xff\xe0\/\*/.test(start);
}

/** Read from its end on, as a zip is: its last record, and where that says the list of entries, an entry. */
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
