import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { findActiveDocumentSharesByQrCode, MAX_OFFERED_DOCUMENTS_PER_CODE } from '../../documents/index.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { getCodePath } from './code-parts.ts';

/** Render the documents that the page of a code offers, and the way to the page that adds one. */
export async function renderOfferedDocuments(
  services: OwnerPageServices,
  code: { id: string; accountId: string },
  { canOffer, locale }: { canOffer: boolean; locale: Locale },
): Promise<Html> {
  const path = `${getAccountPath(services, code.accountId)}/documents`;
  const offered = await findActiveDocumentSharesByQrCode(services.database.client, code.id);
  const items = offered.map(
    ({ documentId, title }) => html`<li><a href="${path}/${documentId}"><bdi>${title}</bdi></a></li>\n`,
  );
  return html`<section><h2>${t(locale, 'app.code.documents')}</h2><p>${t(locale, 'app.code.documentsText')}</p>
${items.length > 0 && html`<ul>${items}</ul>`}${
  canOffer &&
  (offered.length >= MAX_OFFERED_DOCUMENTS_PER_CODE
    ? html`<p>${t(locale, 'app.documents.error.tooManyOnCode')}</p>`
    : html`<p><a class="act plain" href="${getCodePath(services, code)}/documents">${t(locale, 'app.code.chooseDocument')}</a></p>`)
}</section>`;
}
