import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { truncateToFit } from '../truncate-to-fit.ts';
import type { SubpageTarget } from './actions.ts';
import { renderSubpageButton } from './subpage-button.ts';

/** Render the beginning of a story within a number of bytes, and a link to the rest. */
export function renderStorySection(
  story: string | null,
  bytes: number,
  place: SubpageTarget,
  locale: Locale,
): Html | null {
  if (!story) return null;
  const heading = html`<h2>${t(locale, 'memorial.storyTitle')}</h2>\n`;
  const moreButton = renderSubpageButton(place, '/story', t(locale, 'memorial.storyMore'), locale);
  const render = (text: string) =>
    html`<section>${heading}<p class="text">${text}</p>${text !== story && moreButton}</section>`;
  return truncateToFit(story, render, bytes)?.markup ?? html`<section>${heading}${moreButton}</section>`;
}
