import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { Id } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { FIRST_PAGE_CURSOR, toTimePosition } from '../../../shared/list-cursor.ts';
import {
  DocumentUpdateRequest,
  deleteOwnDocumentVersion,
  LAST_READ_FIRST,
  listDocumentAccesses,
  listOwnDocumentVersions,
  readOwnDocument,
  requireOwnDocument,
  restoreDocumentVersion,
  sendOwnDocument,
  toDocumentAccessView,
  toDocumentVersionView,
  updateDocumentMetadata,
} from '../../documents/index.ts';
import { type FormErrors, renderErrorSummary, renderForm, renderNote } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { renderDocumentFields, toDocumentInput } from './document-fields.ts';
import {
  DOCUMENT_ACCESS,
  DOCUMENT_PAGE_CONFIG,
  DocumentParams,
  DoneQuery,
  getDocumentPath,
  getDocumentTabTitle,
  renderDocumentTabs,
  renderDone,
} from './document-parts.ts';
import { renderAccesses, renderVersions } from './document-tables.ts';

const ACCESSES_PER_PAGE = 30;

const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const OptionalText = Type.Optional(Type.String());

const DetailsForm = Type.Object({
  title: OptionalText,
  kind: OptionalText,
  expiresOn: OptionalText,
  note: OptionalText,
  version: OptionalText,
});

const findBodyErrors = createBodyValidator(DocumentUpdateRequest);

type DocumentRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

interface Refused {
  status?: number;
  errors?: FormErrors;
  values?: Partial<Record<string, string>>;
  refusal?: string;
}

/** The file of a document, its versions, who opened it, and what is known about it. */
export const documentPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:accountId/documents/:id/content',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_READ'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: DocumentParams,
        querystring: Type.Object({ version: Type.Optional(VersionNumber), inline: OptionalText }),
      },
    },
    async (request, reply) => {
      const { version, inline } = request.query;
      const content = { id: request.params.id, version, inline: inline === 'true' };
      return sendOwnDocument(services, request, reply, content);
    },
  );

  app.get(
    '/:accountId/documents/:id/versions',
    {
      config: { ...DOCUMENT_PAGE_CONFIG, audit: auditAs('HEALTH_DOCUMENT_VIEWED') },
      schema: { hide: true, params: DocumentParams, querystring: DoneQuery },
    },
    async (request, reply) => {
      const { params } = request;
      const locale = chooseOwnerPageLocale(request);
      const user = requireAuthenticatedUser(request);
      const document = await requireOwnDocument(database.client, params);
      const range = { skip: 0, take: 100 };
      const { rows } = await listOwnDocumentVersions(services, getRequestContext(request), params, range);
      const path = getDocumentPath(services, params);
      const token = getPermittedFormToken(services, request, reply);
      return sendOwnerPage(services, request, reply, {
        title: document.title,
        tabTitle: getDocumentTabTitle(document, locale),
        entry: 'documents',
        body: html`${renderDocumentTabs(path, 'versions', locale)}${renderDone(request.query, locale)}
${token !== null && html`<p><a class="act" href="${path}/versions/new">${t(locale, 'app.documents.addVersion')}</a></p>`}
${renderVersions(
  rows.map((row) => toDocumentVersionView(fieldCipher, row)),
  {
    path,
    currentVersion: document.currentVersion,
    token,
    timeZone: user.timeZone,
    locale,
  },
)}`,
      });
    },
  );

  app.post(
    '/:accountId/documents/:id/versions/:number/restore',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_VERSION_RESTORED') },
      schema: {
        hide: true,
        params: Type.Object({ accountId: Id, id: Id, number: VersionNumber }),
        body: Type.Object({}),
      },
    },
    async (request, reply) => {
      const { params } = request;
      await restoreDocumentVersion(services, getRequestContext(request), params, params.number, undefined);
      return reply.redirect(`${getDocumentPath(services, params)}/versions?done=version-restored`, 303);
    },
  );

  app.post(
    '/:accountId/documents/:id/versions/:number/delete',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_VERSION_DELETED') },
      schema: {
        hide: true,
        params: Type.Object({ accountId: Id, id: Id, number: VersionNumber }),
        body: Type.Object({}),
      },
    },
    async (request, reply) => {
      const { params } = request;
      await deleteOwnDocumentVersion(services, getRequestContext(request), params, params.number);
      return reply.redirect(`${getDocumentPath(services, params)}/versions?done=version-deleted`, 303);
    },
  );

  app.get(
    '/:accountId/documents/:id/accesses',
    {
      config: DOCUMENT_PAGE_CONFIG,
      schema: { hide: true, params: DocumentParams, querystring: Type.Object({ cursor: OptionalText }) },
    },
    async (request, reply) => {
      const { params, routeOptions } = request;
      const locale = chooseOwnerPageLocale(request);
      const user = requireAuthenticatedUser(request);
      const document = await requireOwnDocument(database.client, params);
      const query = { limit: ACCESSES_PER_PAGE, cursor: request.query.cursor ?? FIRST_PAGE_CURSOR };
      const page = parseListPage({ routeOptions, params, query }, LAST_READ_FIRST);
      const filter = { documentId: document.id, accountId: document.accountId };
      const after = toTimePosition(page.after);
      const rows = await listDocumentAccesses(database.client, filter, after, page.take);
      const { data, pagination } = toListPage(page, { rows }, toDocumentAccessView);
      const path = getDocumentPath(services, params);
      const { nextCursor } = pagination;
      return sendOwnerPage(services, request, reply, {
        title: document.title,
        tabTitle: getDocumentTabTitle(document, locale),
        entry: 'documents',
        body: html`${renderDocumentTabs(path, 'accesses', locale)}
${renderAccesses(data, { timeZone: user.timeZone, locale })}
${nextCursor !== null && html`<p><a class="act plain" href="${path}/accesses?${String(new URLSearchParams({ cursor: nextCursor }))}">${t(locale, 'app.settings.accesses.older')}</a></p>`}`,
      });
    },
  );

  app.get(
    '/:accountId/documents/:id/details',
    {
      config: { ...DOCUMENT_PAGE_CONFIG, audit: auditAs('HEALTH_DOCUMENT_VIEWED') },
      schema: { hide: true, params: DocumentParams, querystring: DoneQuery },
    },
    async (request, reply) => sendDetailsPage(request, reply),
  );

  app.post(
    '/:accountId/documents/:id/details',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_UPDATED') },
      schema: { hide: true, params: DocumentParams, body: DetailsForm },
    },
    async (request, reply) => {
      const { version, ...values } = request.body;
      const { params } = request;
      const { title, ...input } = toDocumentInput(values);
      // What a form has emptied is removed.
      const change = { expiresOn: null, note: null, ...input, title: title ?? '' };
      const errors = [
        ...(title ? [] : [{ field: 'title', code: 'REQUIRED', message: '' }]),
        ...findBodyErrors({ ...change, title: title ?? '–' }),
      ];
      if (errors.length > 0) return sendDetailsPage(request, reply, { errors, values });
      try {
        const ifMatch = version === undefined ? undefined : formatVersionEtag(Number(version));
        await updateDocumentMetadata(services, getRequestContext(request), params, change, ifMatch);
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const { status, text } = translateRefusal(error, reply, locale, {
          PRECONDITION_FAILED: t(locale, 'app.content.changed'),
          PLAN_LIMIT_REACHED: t(locale, 'app.documents.readOnly'),
        });
        return sendDetailsPage(request, reply, { status, refusal: text, values });
      }
      return reply.redirect(`${getDocumentPath(services, params)}/details?done=saved`, 303);
    },
  );

  async function sendDetailsPage(
    request: DocumentRequest,
    reply: FastifyReply,
    { status, errors = [], values, refusal }: Refused = {},
  ): Promise<FastifyReply> {
    const { params, query } = request;
    const locale = chooseOwnerPageLocale(request);
    const document = await readOwnDocument(services, getRequestContext(request), params);
    const path = getDocumentPath(services, params);
    const token = getPermittedFormToken(services, request, reply);
    const { title, kind, expiresOn, note, version } = document;
    const stored = { title, kind, expiresOn: expiresOn ?? undefined, note: note ?? undefined };
    const warning = refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale);
    return sendOwnerPage(services, request, reply, {
      title,
      tabTitle: getDocumentTabTitle(document, locale),
      entry: 'documents',
      status: status ?? (errors.length > 0 ? 400 : 200),
      body: html`${renderDocumentTabs(path, 'details', locale)}${warning ?? renderDone(Object(query), locale)}
<div class="narrow">${token !== null && document.readOnly && html`<p>${t(locale, 'app.documents.readOnly')}</p>`}${renderForm(
        {
          action: `${path}/details`,
          token,
          isReadable: true,
          hidden: { version: String(version) },
          submit: t(locale, 'app.content.save'),
          fields: renderDocumentFields(values ?? stored, errors, locale),
        },
      )}
${
  token !== null &&
  html`<section><p>${t(locale, 'app.documents.deleteText')}</p>${renderForm({
    action: `${path}/delete`,
    token,
    submit: t(locale, 'app.documents.delete'),
    kind: 'danger',
  })}</section>`
}</div>`,
    });
  }
};
