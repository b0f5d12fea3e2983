import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type IconName, renderIcon } from './icons.ts';

/** Kinds named after a person show the first letter of the name. */
const LETTER_KINDS: readonly string[] = ['IDENTIFICATION', 'MEMORY_TAG', 'VCARD'];

/** A link or a text has no picture, and an emergency card no room for one. */
const ICON_BY_KIND: Readonly<Record<string, IconName>> = {
  CAR: 'car',
  DOCUMENT: 'document',
  EMAIL: 'message',
  EVENT: 'calendar',
  LOCATION: 'pin',
  LUGGAGE: 'bag',
  PET: 'paw',
  PHONE: 'call',
  SMS: 'message',
  WIFI: 'wifi',
};

/** Render what stands for a missing picture, which screen readers skip; null for kinds without one. */
export function renderAvatar(kind: string, name: string | null, locale: Locale): Html | null {
  const icon = ICON_BY_KIND[kind];
  const letter = LETTER_KINDS.includes(kind) && name !== null ? findFirstLetter(name, locale) : null;
  if (icon === undefined && letter === null) return null;
  return html`<span class="avatar" aria-hidden="true">${icon ? renderIcon(icon) : letter}</span>`;
}

/** Not of a title before the name, and whole in every script. */
function findFirstLetter(name: string, { tag }: Locale): string | null {
  const word = name.split(/\s+/).find((part) => /^\p{L}/u.test(part) && !isTitle(part)) ?? name;
  const [first] = new Intl.Segmenter().segment(word);
  if (!first || !/^\p{L}/u.test(first.segment)) return null;
  // Many fonts have no Georgian capitals.
  return /\p{Script=Georgian}/u.test(first.segment) ? first.segment : first.segment.toLocaleUpperCase(tag);
}

/** `Dr.`, but not the initial `J.` */
function isTitle(word: string): boolean {
  return word.endsWith('.') && !/^\p{L}\p{Mn}*\./u.test(word);
}
