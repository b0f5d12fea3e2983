import { VISIBLE_CHARACTER_PATTERN } from '../../shared/common.schemas.ts';

const VISIBLE_TEXT_PATTERN = new RegExp(VISIBLE_CHARACTER_PATTERN, 'u');

/** Normalize a text: NFC, trimmed; empty if nothing is visible. */
export function normalizeMessageText(text: string): string {
  const plain = text.normalize('NFC').trim();
  return VISIBLE_TEXT_PATTERN.test(plain) ? plain : '';
}
