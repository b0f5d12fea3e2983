import { type Html, html } from '../../shared/html.ts';
import type { Language } from '../../shared/languages/language.ts';
import { onceEach } from './once-each.ts';

/**
 * What a messenger shows of a link to any of the pages (Open Graph): the same of every code, so that it tells nothing of
 * one. Messengers keep it, and show it to whoever the link is sent to.
 */
export const card = onceEach((language: Language): Html => {
  const { cardTitle, cardText } = language.finder;
  return cardOf(language, cardTitle, cardText);
});

/** The same of every link to a document: nothing of the document. */
export const documentCard = onceEach((language: Language): Html => {
  const { title, text } = language.shares;
  return cardOf(language, title, text);
});

function cardOf({ tag }: Language, title: string, text: string): Html {
  const locale = `${tag}_${new Intl.Locale(tag).maximize().region}`;
  return html`<meta property="og:type" content="website"><meta property="og:locale" content="${locale}">
<meta property="og:title" content="${title}"><meta property="og:description" content="${text}"><meta name="twitter:card" content="summary">`;
}
