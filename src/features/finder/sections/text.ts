import { html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { truncateToFit } from '../truncate-to-fit.ts';

export function renderTextSection(text: unknown, bytes: number, locale: Locale) {
  if (typeof text !== 'string') return null;
  const truncated = truncateToFit(text, (part) => html`<p class="text">${part}</p>`, bytes);
  return truncated?.isWhole
    ? truncated.markup
    : html`${truncated?.markup}<p>${t(locale, 'finder.truncated')}</p>`;
}
