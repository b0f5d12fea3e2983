import { SEEN } from '../../shared/common.schemas.ts';

const SOMETHING = new RegExp(SEEN, 'u');

/** A text as it is kept: in Unicode's composed form, without blanks around it; empty where there is nothing to see. */
export function plainText(text: string): string {
  const plain = text.normalize('NFC').trim();
  return SOMETHING.test(plain) ? plain : '';
}
