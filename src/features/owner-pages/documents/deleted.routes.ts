import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  DOCUMENT_LIST_SORTS,
  type DocumentListRow,
  deleteOwnDocument,
  getDocumentRestoreCutoff,
  listDocumentsWithAudit,
  purgeOwnDocument,
  restoreOwnDocument,
} from '../../documents/index.ts';
import { renderConfirmation, renderEmptyState, renderForm, renderNote } from '../components.ts';
import { CursorParams, parseCursorPage, renderCursorLinks } from '../cursor-pages.ts';
import { type FormToken, getPermittedFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { formatTimeLeft } from '../format-time-left.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import {
  DOCUMENT_ACCESS,
  DOCUMENT_PAGE_CONFIG,
  DocumentParams,
  DoneQuery,
  getDocumentPath,
  getDocumentsPath,
  renderDocumentFacts,
  renderDone,
} from './document-parts.ts';

const DOCUMENTS_PER_PAGE = 25;

/** Deleting a document, the deleted ones, and what brings them back or removes them. */
export const deletedDocumentPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  app.get(
    '/:accountId/documents/deleted',
    {
      config: DOCUMENT_PAGE_CONFIG,
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId'),
        querystring: Type.Object({ ...DoneQuery.properties, ...CursorParams }),
      },
    },
    async (request, reply) => {
      const { query, params } = request;
      const user = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const { '-updatedAt': sort, updatedAt } = DOCUMENT_LIST_SORTS;
      const options = { filters: {}, limit: DOCUMENTS_PER_PAGE };
      const page = parseCursorPage(request, options, [sort, updatedAt], query);
      const filter = { deletedSince: getDocumentRestoreCutoff() };
      const context = getRequestContext(request);
      const list = await listDocumentsWithAudit(
        services.database,
        context,
        user,
        filter,
        page.sort,
        page.range,
      );
      const { rows, ...positions } = page.toPage(list.rows);
      const documentsPath = getDocumentsPath(services, params);
      const token = getPermittedFormToken(services, request, reply);
      const items = rows.map((row) =>
        renderRow(row, { documentsPath, token, timeZone: user.timeZone, locale }),
      );
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.documents.deletedTitle'),
        entry: 'documents',
        body: html`${renderDone(query, locale)}<p>${t(locale, 'app.documents.deletedText')} <a href="${documentsPath}">${t(locale, 'app.documents.own')}</a></p>
${items.length > 0 ? html`<ul class="cards rows">${items}</ul>` : renderEmptyState(t(locale, 'app.documents.noneDeleted'))}
${renderCursorLinks(`${documentsPath}/deleted`, {}, positions, locale)}`,
      });
    },
  );

  app.post(
    '/:accountId/documents/:id/delete',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_DELETED') },
      schema: { hide: true, params: DocumentParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { params } = request;
      await deleteOwnDocument(services, getRequestContext(request), params, undefined);
      return reply.redirect(`${getDocumentsPath(services, params)}?done=deleted&id=${params.id}`, 303);
    },
  );

  app.post(
    '/:accountId/documents/:id/restore',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_RESTORED') },
      schema: { hide: true, params: DocumentParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { params } = request;
      const locale = chooseOwnerPageLocale(request);
      try {
        await restoreOwnDocument(services, getRequestContext(request), params, undefined);
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          PLAN_LIMIT_REACHED: t(locale, 'app.content.limit'),
          EXTERNAL_ID_TAKEN: t(locale, 'app.documents.error.numberTaken'),
          TOO_MANY_OFFERED_DOCUMENTS: t(locale, 'app.documents.error.tooManyOnCode'),
        });
        return sendOwnerPage(services, request, reply, {
          title: t(locale, 'app.refusedTitle'),
          entry: 'documents',
          isNarrow: true,
          status,
          body: renderNote(text, 'wrong'),
        });
      }
      return reply.redirect(`${getDocumentPath(services, params)}?done=restored`, 303);
    },
  );

  app.post(
    '/:accountId/documents/:id/purge',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_PURGED') },
      schema: { hide: true, params: DocumentParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { params } = request;
      await purgeOwnDocument(services, getRequestContext(request), params, undefined);
      return reply.redirect(`${getDocumentsPath(services, params)}/deleted?done=purged`, 303);
    },
  );
};

interface Reader {
  documentsPath: string;
  token: FormToken;
  timeZone: string;
  locale: Locale;
}

function renderRow(row: DocumentListRow, { documentsPath, token, timeZone, locale }: Reader): Html {
  const path = `${documentsPath}/${row.id}`;
  const deletedAt = row.deletedAt ?? row.updatedAt;
  const date = renderMoment(deletedAt, { timeZone }, locale);
  const restore = renderForm({
    action: `${path}/restore`,
    token,
    submit: t(locale, 'app.codes.restore'),
    kind: 'plain',
  });
  const purge = renderConfirmation(
    t(locale, 'app.documents.deleteButton'),
    t(locale, 'app.documents.purgeText'),
    {
      action: `${path}/purge`,
      token,
      submit: t(locale, 'app.documents.deleteButton'),
      kind: 'danger',
    },
  );
  return html`<li><div><h2><bdi>${row.title}</bdi></h2><p class="small">${renderDocumentFacts(row, locale)}</p>
<p>${formatTimeLeft(deletedAt, 'deletedDocument', locale)} <span class="small">${translateHtml(locale, 'app.deleted.on', { date })}</span></p></div>${restore}${purge}</li>
`;
}
