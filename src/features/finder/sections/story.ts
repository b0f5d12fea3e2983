import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import { fit } from '../fit.ts';
import type { FilePlace } from './actions.ts';
import { furtherButton } from './further.ts';

/** The story of a life within so many bytes: of a long one its beginning, and the way to all of it. Null where there is none. */
export function storySection(
  story: string | null,
  bytes: number,
  place: FilePlace,
  language: Language,
): Html | null {
  if (!story) return null;
  const { memorial } = language;
  const heading = html`<h2>${memorial.storyTitle}</h2>\n`;
  const further = furtherButton(place, '/story', memorial.storyMore, language);
  const render = (text: string) =>
    html`<section>${heading}<p class="text">${text}</p>${text !== story && further}</section>`;
  return fit(story, render, bytes)?.markup ?? html`<section>${heading}${further}</section>`;
}
