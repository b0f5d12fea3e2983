import type { CurrentUser } from '../../../platform/authentication.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import {
  DOCUMENT_LIST_SORTS,
  findActiveDocumentSharesByQrCode,
  listDocumentsWithAudit,
  MAX_OFFERED_DOCUMENTS_PER_CODE,
} from '../../documents/index.ts';
import { renderForm, renderSelect } from '../components.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { getCodePath } from './code-parts.ts';

const MAX_CHOICES = 100;

/** Render the documents that the page of a code offers, and the form that adds one. */
export async function renderOfferedDocuments(
  services: OwnerPageServices,
  context: RequestContext,
  {
    user,
    code,
    token,
    locale,
  }: {
    user: CurrentUser;
    code: { id: string; accountId: string };
    token: string;
    locale: Locale;
  },
): Promise<Html> {
  const { database } = services;
  const path = `${getAccountPath(services, code.accountId)}/documents`;
  const [offered, own] = await Promise.all([
    findActiveDocumentSharesByQrCode(database.client, code.id),
    listDocumentsWithAudit(database, context, user, {}, DOCUMENT_LIST_SORTS['-createdAt'], {
      skip: 0,
      // One more, which is not audited and not shown.
      take: MAX_CHOICES + 1,
    }),
  ]);
  const items = offered.map(
    ({ documentId, title }) => html`<li><a href="${path}/${documentId}"><bdi>${title}</bdi></a></li>\n`,
  );
  const options = own.rows
    .slice(0, MAX_CHOICES)
    .filter(({ id }) => offered.every(({ documentId }) => documentId !== id))
    .map(({ id, title }) => ({ value: id, label: title }));
  const form = renderForm({
    action: `${getCodePath(services, code)}/documents`,
    token,
    submit: t(locale, 'app.code.offerDocument'),
    hidden: { key: generateId() },
    fields: renderSelect({
      name: 'documentId',
      label: t(locale, 'app.documents.title'),
      value: options[0]?.value,
      options,
    }),
    kind: 'plain',
  });
  return html`<section><h2>${t(locale, 'app.code.documents')}</h2><p>${t(locale, 'app.code.documentsText')}</p>
${items.length > 0 && html`<ul>${items}</ul>`}${
  offered.length >= MAX_OFFERED_DOCUMENTS_PER_CODE
    ? html`<p>${t(locale, 'app.documents.error.tooManyOnCode')}</p>`
    : options.length > 0
      ? html`<div class="narrow">${form}</div>`
      : items.length === 0 && html`<p><a href="${path}/new">${t(locale, 'app.documents.add')}</a></p>`
}</section>`;
}
