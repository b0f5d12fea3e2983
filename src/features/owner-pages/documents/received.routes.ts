import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { FIRST_PAGE_CURSOR, NEWEST_FIRST, toTimePosition } from '../../../shared/list-cursor.ts';
import {
  declineDocumentGrant,
  hashRecipient,
  isInlineContentType,
  listReceivedDocuments,
  sendReceivedDocument,
  toReceivedDocumentView,
} from '../../documents/index.ts';
import { renderEmptyState, renderForm } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  DOCUMENT_ACCESS,
  DOCUMENT_PAGE_CONFIG,
  DoneQuery,
  getDocumentsPath,
  renderDocumentFacts,
  renderDone,
  renderListTabs,
} from './document-parts.ts';

const DOCUMENTS_PER_PAGE = 25;

const GrantParams = createIdParamsSchema('accountId', 'grantId');

/** Documents that others have granted to somebody. */
export const receivedDocumentPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/:accountId/documents/received',
    {
      config: DOCUMENT_PAGE_CONFIG,
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId'),
        querystring: Type.Object({ ...DoneQuery.properties, cursor: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { params, routeOptions } = request;
      const locale = chooseOwnerPageLocale(request);
      const user = requireAuthenticatedUser(request);
      const query = { limit: DOCUMENTS_PER_PAGE, cursor: request.query.cursor ?? FIRST_PAGE_CURSOR };
      const page = parseListPage({ routeOptions, params, query }, NEWEST_FIRST);
      const recipient = hashRecipient(services, user);
      const after = toTimePosition(page.after);
      const rows = await listReceivedDocuments(database.client, recipient, after, page.take);
      const { data, pagination } = toListPage(page, { rows }, toReceivedDocumentView);
      const path = getDocumentsPath(services, params);
      const token = getPermittedFormToken(services, request, reply);
      const items = data.map((document) => {
        const { id, title, grantedBy, contentType } = document;
        const address = `${path}/received/${id}`;
        const open = isInlineContentType(contentType) && `${address}/content?inline=true`;
        return html`<li><div><h2><bdi>${title}</bdi></h2><p class="small">${translateHtml(locale, 'app.documents.from', { name: html`<bdi>${grantedBy.name}</bdi>` })} · ${renderDocumentFacts(document, locale)}</p></div>
<p class="actions">${open && html`<a class="act plain" href="${open}" target="_blank" rel="noopener">${t(locale, 'app.documents.open')}</a>`}<a class="act plain" href="${address}/content" download>${t(locale, 'app.documents.download')}</a></p>${renderForm(
          {
            action: `${address}/decline`,
            token,
            submit: t(locale, 'app.documents.decline'),
            kind: 'plain',
          },
        )}</li>
`;
      });
      const { nextCursor } = pagination;
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.documents.title'),
        entry: 'documents',
        body: html`${renderListTabs(path, 'received', locale)}${renderDone(request.query, locale)}
${items.length > 0 ? html`<ul class="cards rows">${items}</ul>` : renderEmptyState(t(locale, 'app.documents.receivedNone'))}
${nextCursor !== null && html`<p><a class="act plain" href="${path}/received?${String(new URLSearchParams({ cursor: nextCursor }))}">${t(locale, 'app.settings.accesses.older')}</a></p>`}`,
      });
    },
  );

  app.get(
    '/:accountId/documents/received/:grantId/content',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('GRANTED_DOCUMENT_READ'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: GrantParams,
        querystring: Type.Object({ inline: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const inline = request.query.inline === 'true';
      return sendReceivedDocument(services, request, reply, { grantId: request.params.grantId, inline });
    },
  );

  app.post(
    '/:accountId/documents/received/:grantId/decline',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_GRANT_DECLINED') },
      schema: { hide: true, params: GrantParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { params } = request;
      const recipient = hashRecipient(services, requireAuthenticatedUser(request));
      await declineDocumentGrant(database, getRequestContext(request), params.grantId, recipient);
      return reply.redirect(`${getDocumentsPath(services, params)}/received?done=declined`, 303);
    },
  );
};
