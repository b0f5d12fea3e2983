import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
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
  language: Language,
): Html | null {
  if (entries.length === 0) return null;
  const { memorial } = language;
  const shown = entries.map((entry) => ({ ...entry, message: excerptOf(entry.message) }));
  const isCut = hasMore || shown.some(({ message }, index) => message !== entries[index]?.message);
  const further = furtherButton(place, '/entries', memorial.guestBookMore, language);
  const render = (some: readonly ShownEntry[]) =>
    html`<section><h2>${memorial.guestBookTitle}</h2>\n${entryList(some, language)}${(isCut || some.length < entries.length) && further}</section>`;
  return fit(shown, render, bytes)?.markup ?? render([]);
}

/** Entries of a guest book, with who wrote them and when. */
export function entryList(entries: readonly ShownEntry[], { memorial, finder, tag }: Language): Html {
  const items = entries.map(
    ({ name, message, createdAt }) =>
      html`<li><p class="kind"><bdi>${name ?? memorial.guestBookNameless}</bdi>${finder.comma}${dayOf(createdAt.toISOString().slice(0, 10), tag)}</p>
<p class="text">${message}</p></li>
`,
  );
  return html`<ul class="messages">${items}</ul>`;
}

function excerptOf(message: string): string {
  const characters = [...message];
  return characters.length <= EXCERPT ? message : `${characters.slice(0, EXCERPT).join('').trimEnd()}…`;
}
