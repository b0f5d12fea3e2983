import { invalidFields } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { FIRST_CURSOR } from '../../shared/pagination.ts';

/** The orders of a list of scans: newest first, oldest first. */
export const SCAN_SORTS = ['-scannedAt', 'scannedAt'] as const;

export type ScanSort = (typeof SCAN_SORTS)[number];

/** A place in a list of scans: just after this one, in whichever order. */
export interface ScanCursor {
  at: Date;
  id: string;
}

/** A place in a list as a client carries it. It holds nothing secret, and opens nothing. */
export function writeCursor(scan: { scannedAt: Date; id: string }): string {
  return Buffer.from(`${scan.scannedAt.getTime()}.${scan.id}`).toString('base64url');
}

/** The place that a client names; null is the beginning. Throws VALIDATION_FAILED for anything we did not write. */
export function readCursor(text: string): ScanCursor | null {
  if (text === FIRST_CURSOR) return null;
  const [, at, id] =
    /^(\d{1,14})\.([0-9a-f]{24})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const cursor = { at: new Date(Number(at)), id };
  if (!isId(cursor.id) || writeCursor({ scannedAt: cursor.at, id: cursor.id }) !== text) {
    throw invalidFields({
      field: 'cursor',
      code: 'BAD_FORMAT',
      message: `Must be ${FIRST_CURSOR}, or nextCursor of a page before.`,
    });
  }
  return { at: cursor.at, id: cursor.id };
}
