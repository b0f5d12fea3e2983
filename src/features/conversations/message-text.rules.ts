import { VISIBLE_CHARACTER } from '../../shared/common.schemas.ts';

const VISIBLE_TEXT_PATTERN = new RegExp(VISIBLE_CHARACTER, 'u');

/** A text as it is kept: in Unicode's composed form, without blanks around it; empty where there is nothing to see. */
export function normalizeMessageText(text: string): string {
  const plain = text.normalize('NFC').trim();
  return VISIBLE_TEXT_PATTERN.test(plain) ? plain : '';
}
