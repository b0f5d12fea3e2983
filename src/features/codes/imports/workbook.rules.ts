import { ServiceError } from '../../../shared/errors.ts';

/** Bytes of a workbook, which is compressed. */
export const MAX_WORKBOOK_BYTES = 20 * 1024 * 1024;

/** Bytes of its parts together. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;

const MAX_PARTS = 5_000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
/** Without its comment. */
const END_OF_DIRECTORY_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const DIRECTORY_ENTRY_BYTES = 46;
/** Sizes in it stand for larger ones elsewhere (ZIP64). */
const ZIP64_SIZE = 0xffffffff;
/** The compressed form of nothing. */
const EMPTY_DEFLATE_BYTES = 2;

/** Whether a file begins as a ZIP archive, which a workbook (.xlsx) is. */
export function startsAsWorkbook(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).equals(Buffer.from('PK\x03\x04', 'latin1'));
}

/**
 * Refuse an archive whose parts do not say how long they are unpacked, or are too long together: the library unpacks none of
 * them beyond the size that its entry has. @throws FILE_TYPE_UNSUPPORTED, PAYLOAD_TOO_LARGE
 */
export function assertWorkbookSize(bytes: Buffer): void {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const isEnd = end !== -1 && bytes.length - end - END_OF_DIRECTORY_BYTES <= MAX_COMMENT_BYTES;
  if (!isEnd || end + END_OF_DIRECTORY_BYTES > bytes.length || bytes.readUInt32LE(end) !== END_OF_DIRECTORY)
    throw createUnreadableError();
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_PARTS) throw new ServiceError('PAYLOAD_TOO_LARGE');
  let at = bytes.readUInt32LE(end + 16);
  let unpacked = 0;
  for (let index = 0; index < count; index++) {
    if (at + DIRECTORY_ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw createUnreadableError();
    const packedBytes = bytes.readUInt32LE(at + 20);
    const unpackedBytes = bytes.readUInt32LE(at + 24);
    if (packedBytes === ZIP64_SIZE || unpackedBytes === ZIP64_SIZE)
      throw new ServiceError('PAYLOAD_TOO_LARGE');
    const name = bytes.toString(
      'latin1',
      at + DIRECTORY_ENTRY_BYTES,
      at + DIRECTORY_ENTRY_BYTES + bytes.readUInt16LE(at + 28),
    );
    const isEmpty = name.endsWith('/') || packedBytes === EMPTY_DEFLATE_BYTES;
    if (unpackedBytes === 0 && !isEmpty) throw createUnreadableError();
    unpacked += unpackedBytes;
    if (unpacked > MAX_UNPACKED_BYTES) throw new ServiceError('PAYLOAD_TOO_LARGE');
    at +=
      DIRECTORY_ENTRY_BYTES +
      bytes.readUInt16LE(at + 28) +
      bytes.readUInt16LE(at + 30) +
      bytes.readUInt16LE(at + 32);
  }
}

export function createUnreadableError(cause?: unknown): ServiceError {
  return new ServiceError('FILE_TYPE_UNSUPPORTED', {
    detail: 'The workbook cannot be read. Save it again as “Excel Workbook (.xlsx)”, or as “CSV UTF-8”.',
    cause,
  });
}
