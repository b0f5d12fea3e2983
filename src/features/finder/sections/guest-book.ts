import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderDay } from '../dates.ts';
import type { PublicGuestBookEntry } from '../memorial.ts';
import { truncateToFit } from '../truncate-to-fit.ts';
import type { SubpageTarget } from './actions.ts';
import { renderSubpageButton } from './subpage-button.ts';

/** The guest book page has the full entry. */
const MAX_EXCERPT_CHARACTERS = 300;

/** Render the newest entries within a number of bytes, and a link to the rest. */
export function renderGuestBookSection(
  { entries, hasMore }: { entries: readonly PublicGuestBookEntry[]; hasMore: boolean },
  bytes: number,
  place: SubpageTarget,
  locale: Locale,
): Html | null {
  if (entries.length === 0) return null;
  const excerpts = entries.map((entry) => ({ ...entry, message: truncateMessage(entry.message) }));
  const isTruncated = hasMore || excerpts.some(({ message }, index) => message !== entries[index]?.message);
  const moreButton = renderSubpageButton(place, '/entries', t(locale, 'memorial.guestBookMore'), locale);
  const render = (part: readonly PublicGuestBookEntry[]) =>
    html`<section><h2>${t(locale, 'memorial.guestBookTitle')}</h2>\n${renderEntryList(part, locale)}${(isTruncated || part.length < entries.length) && moreButton}</section>`;
  return truncateToFit(excerpts, render, bytes)?.markup ?? render([]);
}

export function renderEntryList(entries: readonly PublicGuestBookEntry[], locale: Locale): Html {
  const items = entries.map(
    ({ name, message, createdAt }) =>
      html`<li><p class="kind"><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi>${t(locale, 'finder.listSeparator')}${renderDay(createdAt.toISOString().slice(0, 10), locale.tag)}</p>
<p class="text">${message}</p></li>
`,
  );
  return html`<ul class="messages">${items}</ul>`;
}

function truncateMessage(message: string): string {
  const characters = [...message];
  return characters.length <= MAX_EXCERPT_CHARACTERS
    ? message
    : `${characters.slice(0, MAX_EXCERPT_CHARACTERS).join('').trimEnd()}…`;
}
