import { html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import { fit } from '../fit.ts';

/** A text as text, within so many bytes. */
export function wordsSection(text: unknown, bytes: number, { finder }: Language) {
  if (typeof text !== 'string') return null;
  const fitting = fit(text, (part) => html`<p class="text">${part}</p>`, bytes);
  return fitting?.isWhole ? fitting.markup : html`${fitting?.markup}<p>${finder.shortened}</p>`;
}
