import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { dayOf } from '../dates.ts';
import { fit } from '../fit.ts';
import type { ShownEntry } from '../memorial.ts';
import type { FilePlace } from './actions.ts';
import { furtherButton } from './further.ts';

/** Characters of an entry on the page of a code; the page of the guest book has it whole. */
const EXCERPT = 300;

/** The newest entries of a guest book, within so many bytes, and the way to all of them. Null where there are none. */
export function guestBookSection(
  { entries, hasMore }: { entries: readonly ShownEntry[]; hasMore: boolean },
  bytes: number,
  place: FilePlace,
  locale: Locale,
): Html | null {
  if (entries.length === 0) return null;
  const shown = entries.map((entry) => ({ ...entry, message: excerptOf(entry.message) }));
  const isCut = hasMore || shown.some(({ message }, index) => message !== entries[index]?.message);
  const further = furtherButton(place, '/entries', t(locale, 'memorial.guestBookMore'), locale);
  const render = (some: readonly ShownEntry[]) =>
    html`<section><h2>${t(locale, 'memorial.guestBookTitle')}</h2>\n${entryList(some, locale)}${(isCut || some.length < entries.length) && further}</section>`;
  return fit(shown, render, bytes)?.markup ?? render([]);
}

/** Entries of a guest book, with who wrote them and when. */
export function entryList(entries: readonly ShownEntry[], locale: Locale): Html {
  const items = entries.map(
    ({ name, message, createdAt }) =>
      html`<li><p class="kind"><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi>${t(locale, 'finder.listSeparator')}${dayOf(createdAt.toISOString().slice(0, 10), locale.tag)}</p>
<p class="text">${message}</p></li>
`,
  );
  return html`<ul class="messages">${items}</ul>`;
}

function excerptOf(message: string): string {
  const characters = [...message];
  return characters.length <= EXCERPT ? message : `${characters.slice(0, EXCERPT).join('').trimEnd()}…`;
}
