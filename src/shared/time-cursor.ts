import { isId } from './ids.ts';

const CURSOR_PATTERN = /^(\d{1,14})\.([0-9a-f]{24})$/;

export interface TimeCursor {
  at: Date;
  id: string;
}

export function encodeTimeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at.getTime()}.${id}`).toString('base64url');
}

/** Decode text of the format `time-cursor`. */
export function decodeTimeCursor(text: string): TimeCursor | null {
  const [, at, id] = CURSOR_PATTERN.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return isId(id) ? { at: new Date(Number(at)), id } : null;
}

export function isTimeCursor(text: string): boolean {
  const cursor = decodeTimeCursor(text);
  return cursor !== null && text === encodeTimeCursor(cursor);
}
