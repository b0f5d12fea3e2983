import type { Locale } from '../../shared/i18n/locales.ts';
import { getQrCodeKind } from '../codes/index.ts';
import { translateKind } from './translate-field.ts';

/** A kind of code that a phone can keep, as a file. */
export interface CodeFile {
  kind: string;
  name: string;
  type: string;
  /** The message on the button, in the area `finder`. */
  button: 'addContact' | 'addEvent';
}

/** Every kind that can be kept. */
export const CODE_FILES: readonly CodeFile[] = [
  { kind: 'VCARD', name: 'contact.vcf', type: 'text/vcard', button: 'addContact' },
  { kind: 'EVENT', name: 'event.ics', type: 'text/calendar', button: 'addEvent' },
];

/** What is in the file of a code: the fields that are shown, and the name of the kind where none of them is a name; null where that is nothing. */
export function renderCodeFile(
  kindName: string,
  profile: Readonly<Record<string, unknown>> | null,
  locale: Locale,
  id?: string,
): string | null {
  const kind = getQrCodeKind(kindName);
  const content = kind.toStaticContent(profile ?? {}, translateKind(locale, kindName), id);
  return content === null ? null : `${content}\r\n`;
}
