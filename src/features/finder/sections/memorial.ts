import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { truncateWithEllipsis } from '../../../shared/truncate.ts';
import { renderWithinBytes } from '../field-value.ts';
import { renderIsoDate, renderPartialDate } from '../formatters.ts';
import type { PublicGuestBookEntry } from '../memorial.ts';
import type { SubpageTarget } from './contact.ts';
import { renderSubpageButton } from './content.ts';

type Profile = Readonly<Record<string, unknown>>;

/** Render the dates of life, for below the name, and the epitaph; with the names of the fields that they show. */
export function renderMemorialParts({ bornOn, diedOn, epitaph }: Profile, locale: Locale) {
  const { tag } = locale;
  const fields: string[] = [];
  const dates: Html[] = [];
  if (typeof bornOn === 'string' && typeof diedOn === 'string') {
    fields.push('bornOn', 'diedOn');
    dates.push(
      html`<p class="kind">${renderPartialDate(bornOn, tag)} – ${renderPartialDate(diedOn, tag)}</p>\n`,
    );
  }
  for (const [field, date, label] of [
    ['bornOn', bornOn, t(locale, 'memorial.born')],
    ['diedOn', diedOn, t(locale, 'memorial.died')],
  ] as const) {
    if (typeof date !== 'string' || fields.includes(field)) continue;
    fields.push(field);
    dates.push(
      html`<p class="kind">${label}${t(locale, 'finder.labelSeparator')}${renderPartialDate(date, tag)}</p>\n`,
    );
  }
  if (typeof epitaph !== 'string') return { dates, epitaph: null, fields };
  fields.push('epitaph');
  return { dates, epitaph: html`<p class="epitaph text">${epitaph}</p>\n`, fields };
}

/** The guest book page has the full entry. */
const MAX_EXCERPT_CHARACTERS = 300;

export function renderGuestBookSection(
  { entries, hasMore }: { entries: readonly PublicGuestBookEntry[]; hasMore: boolean },
  bytes: number,
  place: SubpageTarget,
  locale: Locale,
): Html | null {
  if (entries.length === 0) return null;
  const excerpts = entries.map((entry) => ({
    ...entry,
    message: truncateWithEllipsis(entry.message, MAX_EXCERPT_CHARACTERS),
  }));
  const isTruncated = hasMore || excerpts.some(({ message }, index) => message !== entries[index]?.message);
  const moreButton = renderSubpageButton(place, '/entries', t(locale, 'memorial.guestBookMore'), locale);
  const render = (part: readonly PublicGuestBookEntry[]) =>
    html`<section><h2>${t(locale, 'memorial.guestBookTitle')}</h2>\n${renderGuestBookEntryList(part, locale)}${(isTruncated || part.length < entries.length) && moreButton}</section>`;
  return renderWithinBytes(excerpts, render, bytes)?.markup ?? render([]);
}

export function renderGuestBookEntryList(entries: readonly PublicGuestBookEntry[], locale: Locale): Html {
  const items = entries.map(
    ({ name, message, createdAt }) =>
      html`<li><p class="kind"><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi>${t(locale, 'finder.listSeparator')}${renderIsoDate(createdAt.toISOString().slice(0, 10), locale.tag)}</p>
<p class="text">${message}</p></li>
`,
  );
  return html`<ul class="messages">${items}</ul>`;
}
