import { createValidationError } from './errors.ts';
import { isId } from './ids.ts';
import { FIRST_PAGE_CURSOR } from './pagination.ts';

export interface TimeCursor {
  at: Date;
  id: string;
}

export function encodeTimeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at.getTime()}.${id}`).toString('base64url');
}

export function decodeTimeCursor(text: string): TimeCursor | null {
  if (text === FIRST_PAGE_CURSOR) return null;
  const [, at, id] =
    /^(\d{1,14})\.([0-9a-f]{24})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const cursor = { at: new Date(Number(at)), id };
  if (!isId(cursor.id) || encodeTimeCursor({ at: cursor.at, id: cursor.id }) !== text) {
    throw createValidationError({
      field: 'cursor',
      code: 'BAD_FORMAT',
      message: `Must be ${FIRST_PAGE_CURSOR}, or nextCursor of a previous page.`,
    });
  }
  return { at: cursor.at, id: cursor.id };
}
