import { type Html, html } from '../../shared/html.ts';
import type { Language } from '../../shared/languages/language.ts';
import { onceEach } from './once-each.ts';

/**
 * What a messenger shows of a link to any of the pages (Open Graph): the same of every code, so that it tells nothing of
 * one. Messengers keep it, and show it to whoever the link is sent to.
 */
export const card = onceEach(({ tag, finder }: Language): Html => {
  const locale = `${tag}_${new Intl.Locale(tag).maximize().region}`;
  return html`<meta property="og:type" content="website"><meta property="og:locale" content="${locale}">
<meta property="og:title" content="${finder.cardTitle}"><meta property="og:description" content="${finder.cardText}"><meta name="twitter:card" content="summary">`;
});
