import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import type { SharedDocument } from '../../document-shares/share.repository.ts';
import { fit } from '../fit.ts';
import { fileWords } from '../share-page.ts';

/** The shares that the page of a code offers. */
export interface OfferedDocuments {
  /** Where the forms are sent; the id of a share follows. */
  action: string;
  /** The signed token of the visit. */
  visit: string;
  shares: readonly SharedDocument[];
  /** Whether whoever looks may know what they are called. */
  showsTitles: boolean;
}

/** What can be opened from the page of a code, each by a button of its own: looking at the page opens nothing. */
export function documentsSection(
  { action, visit, shares, showsTitles }: OfferedDocuments,
  bytes: number,
  language: Language,
): Html | null {
  const { finder, tag } = language;
  const form = (share: SharedDocument) => {
    const title = showsTitles && share.passcodeHash === null ? share.title : language.shares.unnamed;
    return html`<form method="post" action="${action}/${share.id}?lang=${tag}">
<p class="name">${title}</p><p class="kind">${fileWords(share, language)}</p>
<input type="hidden" name="visit" value="${visit}"><button aria-label="${finder.documentButton}${finder.colon}${title}">${finder.documentButton}</button></form>
`;
  };
  const render = (some: readonly SharedDocument[]) => html`<section><h2>${language.shares.sectionTitle}</h2>
<p>${language.shares.text}</p>
${some.map(form)}</section>`;
  return shares.length > 0 ? (fit(shares, render, bytes)?.markup ?? null) : null;
}
