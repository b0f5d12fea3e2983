import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { fit } from '../fit.ts';
import type { FilePlace } from './actions.ts';
import { furtherButton } from './further.ts';

/** The story of a life within so many bytes: of a long one its beginning, and the way to all of it. Null where there is none. */
export function storySection(
  story: string | null,
  bytes: number,
  place: FilePlace,
  locale: Locale,
): Html | null {
  if (!story) return null;
  const heading = html`<h2>${t(locale, 'memorial.storyTitle')}</h2>\n`;
  const further = furtherButton(place, '/story', t(locale, 'memorial.storyMore'), locale);
  const render = (text: string) =>
    html`<section>${heading}<p class="text">${text}</p>${text !== story && further}</section>`;
  return fit(story, render, bytes)?.markup ?? html`<section>${heading}${further}</section>`;
}
