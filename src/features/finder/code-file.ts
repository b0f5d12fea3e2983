import type { Locale } from '../../shared/i18n/locales.ts';
import { type ContentRevision, getQrCodeKindByName } from '../codes/index.ts';
import { translateQrCodeKind } from './formatters.ts';

export interface ContactOrCalendarFile {
  kind: string;
  name: string;
  type: string;
  /** Message key within `finder`. */
  button: 'addContact' | 'addEvent';
}

export const CONTACT_AND_CALENDAR_FILES: readonly ContactOrCalendarFile[] = [
  { kind: 'VCARD', name: 'contact.vcf', type: 'text/vcard', button: 'addContact' },
  { kind: 'EVENT', name: 'event.ics', type: 'text/calendar', button: 'addEvent' },
];

/** Render the visible fields as a file; null if there is no content. */
export function renderContactOrCalendarFile(
  kindName: string,
  profile: Readonly<Record<string, unknown>> | null,
  locale: Locale,
  revision?: ContentRevision,
): string | null {
  const kind = getQrCodeKindByName(kindName);
  const content = kind.toStaticContent(profile ?? {}, translateQrCodeKind(locale, kindName), revision);
  return content === null ? null : `${content}\r\n`;
}
