import { defineColumnCipher } from '../../platform/column-cipher.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { memoryTagsCatalogue } from './catalogue.ts';

export const CARETAKER_EMAIL = defineColumnCipher(
  memoryTagsCatalogue,
  'memory_tag_caretakers.email',
).of<string>();

/** Hash a normalized address with a key, to find it again. */
export function hashCaretakerEmail(fieldCipher: FieldCipher, email: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('caretaker', email);
}
