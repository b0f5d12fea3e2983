import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { SharedDocument } from '../../documents/index.ts';
import { formatFileInfo } from '../share-page.ts';
import { truncateToFit } from '../truncate-to-fit.ts';

export interface OfferedDocuments {
  /** Where the forms are sent; the id of a share is appended. */
  action: string;
  visit: string;
  shares: readonly SharedDocument[];
  showsTitles: boolean;
}

/** Render a form for each document; only submitting it counts as an access. */
export function renderDocumentsSection(
  { action, visit, shares, showsTitles }: OfferedDocuments,
  bytes: number,
  locale: Locale,
): Html | null {
  const { tag } = locale;
  const renderForm = (share: SharedDocument) => {
    const title = showsTitles && share.passcodeHash === null ? share.title : t(locale, 'sharePage.unnamed');
    return html`<form method="post" action="${action}/${share.id}?lang=${tag}">
<p class="name">${title}</p><p class="kind">${formatFileInfo(share, locale)}</p>
<input type="hidden" name="visit" value="${visit}"><button aria-label="${t(locale, 'finder.documentButton')}${t(locale, 'finder.labelSeparator')}${title}">${t(locale, 'finder.documentButton')}</button></form>
`;
  };
  const render = (
    part: readonly SharedDocument[],
  ) => html`<section><h2>${t(locale, 'sharePage.sectionTitle')}</h2>
<p>${t(locale, 'sharePage.text')}</p>
${part.map(renderForm)}</section>`;
  return shares.length > 0 ? (truncateToFit(shares, render, bytes)?.markup ?? null) : null;
}
