/** Readers of RAR, 7-Zip, cabinet and ACE archives search for these, so that they open an archive behind a program. */
const SEARCHED_SIGNATURES = ['Rar!\x1a\x07', '7z\xbc\xaf\x27\x1c', 'MSCF\0\0\0\0', '**ACE**'].map((text) =>
  Buffer.from(text, 'latin1'),
);

const ARJ_SIGNATURE = Buffer.from('\x60\xea', 'latin1');
const ARJ_HEADER_BYTES = 11;

/** What other readers look for at a fixed place: ISO 9660 and UDF, DICOM. */
const PLACED_SIGNATURES: readonly { at: number; text: string }[] = [
  { at: 128, text: 'DICM' },
  ...[32_769, 34_817, 36_865].flatMap((at) =>
    ['CD001', 'BEA01', 'NSR02', 'NSR03'].map((text) => ({ at, text })),
  ),
];

const TAR_BLOCK_BYTES = 512;
const TAR_SIGNATURE = Buffer.from('ustar');
const TAR_SIGNATURE_OFFSET = 257;

/** Bytes before a chunk that may begin an archive in it. */
export const SIGNATURE_OVERLAP_BYTES = TAR_BLOCK_BYTES - 1;

/** Check whether bytes contain the start of a RAR, 7-Zip, cabinet, ACE, ARJ or tape archive, at any place. */
export function containsForeignArchive(bytes: Buffer): boolean {
  return (
    SEARCHED_SIGNATURES.some((signature) => bytes.includes(signature)) ||
    containsArjHeader(bytes) ||
    containsTarHeader(bytes)
  );
}

/** Check whether the first 64 KiB of a file are also those of a tape archive, a disc image or a DICOM file. */
export function startsForeignFile(head: Buffer): boolean {
  return (
    PLACED_SIGNATURES.some(({ at, text }) => head.toString('latin1', at, at + text.length) === text) ||
    isTarHeader(head)
  );
}

/** ARJ's own signature has two bytes: check the ranges of the main header, too. */
function containsArjHeader(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(ARJ_SIGNATURE); at >= 0; at = bytes.indexOf(ARJ_SIGNATURE, at + 1)) {
    if (at + ARJ_HEADER_BYTES > bytes.length) return false;
    const byte = (offset: number) => bytes[at + offset] ?? 0;
    const isMainHeader =
      byte(3) <= 0x0a &&
      [0x1e, 0x22, 0x2e].includes(byte(4)) &&
      isBetween(byte(5), 1, 0x66) &&
      isBetween(byte(6), 1, 0x66) &&
      byte(7) <= 0x0b &&
      byte(10) === 2;
    if (isMainHeader) return true;
  }
  return false;
}

/** Tar skips whatever is before a header. */
function containsTarHeader(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(TAR_SIGNATURE); at >= 0; at = bytes.indexOf(TAR_SIGNATURE, at + 1)) {
    if (at >= TAR_SIGNATURE_OFFSET && isTarHeader(bytes.subarray(at - TAR_SIGNATURE_OFFSET))) return true;
  }
  return false;
}

function isBetween(value: number, first: number, last: number): boolean {
  return value >= first && value <= last;
}

/** The checksum counts its own field as spaces (POSIX.1, ustar). */
function isTarHeader(head: Buffer): boolean {
  const block = head.subarray(0, TAR_BLOCK_BYTES);
  const digits = /^[ 0]*([0-7]{1,6})[ \0]/.exec(block.toString('latin1', 148, 156))?.[1];
  if (block.length < TAR_BLOCK_BYTES || digits === undefined) return false;
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  return sum === Number.parseInt(digits, 8);
}
