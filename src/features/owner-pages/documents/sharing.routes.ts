import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { requireValidEmail } from '../../../shared/email.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { listDocumentQrCodes } from '../../codes/index.ts';
import {
  createDocumentShareLink,
  DocumentShareRequest,
  endOwnDocumentShare,
  grantDocument,
  isStrictlyShared,
  listDocumentGrants,
  listDocumentShares,
  readOwnDocument,
  requireOwnDocument,
  revokeDocumentGrant,
  toDocumentGrantView,
  toDocumentShareView,
} from '../../documents/index.ts';
import { getCodesPath } from '../codes/code-parts.ts';
import { renderErrorSummary, renderNote } from '../components.ts';
import { getFormContext } from '../form-context.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import {
  DOCUMENT_ACCESS,
  DOCUMENT_PAGE_CONFIG,
  DocumentParams,
  DoneQuery,
  getDocumentPath,
  getDocumentTabTitle,
  renderDocumentFacts,
  renderDocumentTabs,
  renderDone,
} from './document-parts.ts';
import { renderContentLinks } from './document-tables.ts';
import { renderSharing } from './sharing-page.ts';

const OptionalText = Type.Optional(Type.String());

/** As many as a document can have. */
const MAX_LISTED = { skip: 0, take: 100 };

const findShareErrors = createBodyValidator(DocumentShareRequest);

type DocumentRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

interface Refused {
  status?: number;
  errors?: readonly FieldError[];
  refusal?: string;
  values?: Partial<Record<string, string>>;
}

/** The page of a document, and who can open it: by links, and people by their address. */
export const documentSharingPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:accountId/documents/:id',
    {
      config: { ...DOCUMENT_PAGE_CONFIG, audit: auditAs('HEALTH_DOCUMENT_VIEWED') },
      schema: { hide: true, params: DocumentParams, querystring: DoneQuery },
    },
    async (request, reply) => sendDocumentPage(request, reply),
  );

  app.post(
    '/:accountId/documents/:id/shares',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_SHARED') },
      schema: {
        hide: true,
        params: DocumentParams,
        body: Type.Object({
          key: OptionalText,
          duration: OptionalText,
          passcode: OptionalText,
          maxViews: OptionalText,
          qrCodeId: OptionalText,
        }),
      },
    },
    async (request, reply) => {
      const { key, ...values } = request.body;
      const { duration = '', passcode = '', maxViews = '', qrCodeId = '' } = values;
      const input = {
        ...(duration && { expiresInSeconds: Number(duration) }),
        ...(passcode.trim() && { passcode: passcode.trim() }),
        ...(maxViews.trim() && { maxViews: Number(maxViews) }),
        ...(qrCodeId && { qrCodeId }),
      };
      const errors = findShareErrors({ ...input }).map(toShareFormError);
      if (errors.length > 0) return sendDocumentPage(request, reply, { errors, values });
      try {
        // Sent twice it is created once, and the page shows the same link again.
        const context = getFormContext(request, key);
        const { body } = await createDocumentShareLink(services, context, request.params, input);
        return sendLinkPage(request, reply, body);
      } catch (error) {
        return sendDocumentPage(request, reply, {
          ...describeRefusal(error, reply, chooseOwnerPageLocale(request), toShareFormError),
          values,
        });
      }
    },
  );

  app.post(
    '/:accountId/documents/:id/shares/:shareId/end',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_SHARE_ENDED') },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId', 'id', 'shareId'),
        body: Type.Object({}),
      },
    },
    async (request, reply) => {
      const { accountId, id: documentId, shareId: id } = request.params;
      await endOwnDocumentShare(database, getRequestContext(request), { id, documentId, accountId });
      return redirectToDocument(request, reply, 'link-ended');
    },
  );

  app.post(
    '/:accountId/documents/:id/grants',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_GRANTED') },
      schema: {
        hide: true,
        params: DocumentParams,
        body: Type.Object({ key: OptionalText, email: OptionalText }),
      },
    },
    async (request, reply) => {
      const { key, ...values } = request.body;
      try {
        const context = getFormContext(request, key);
        await grantDocument(services, context, request.params, requireValidEmail(values.email ?? ''));
        return redirectToDocument(request, reply, 'granted');
      } catch (error) {
        return sendDocumentPage(request, reply, {
          ...describeRefusal(error, reply, chooseOwnerPageLocale(request), toGrantFormError),
          values,
        });
      }
    },
  );

  app.post(
    '/:accountId/documents/:id/grants/:grantId/revoke',
    {
      config: { access: DOCUMENT_ACCESS, audit: auditAs('DOCUMENT_GRANT_REVOKED') },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId', 'id', 'grantId'),
        body: Type.Object({}),
      },
    },
    async (request, reply) => {
      const { accountId, id: documentId, grantId: id } = request.params;
      await revokeDocumentGrant(database, getRequestContext(request), { id, documentId, accountId });
      return redirectToDocument(request, reply, 'revoked');
    },
  );

  function redirectToDocument({ params }: DocumentRequest, reply: FastifyReply, done: string): FastifyReply {
    return reply.redirect(`${getDocumentPath(services, params)}?done=${done}`, 303);
  }

  async function sendDocumentPage(
    request: DocumentRequest,
    reply: FastifyReply,
    { status, errors = [], refusal, values = {} }: Refused = {},
  ): Promise<FastifyReply> {
    const { params, query } = request;
    const locale = chooseOwnerPageLocale(request);
    const user = requireAuthenticatedUser(request);
    const document = await readOwnDocument(services, getRequestContext(request), params);
    const filter = { documentId: document.id, accountId: params.accountId };
    const isStrict = await isStrictlyShared(services, { ...params, kind: document.kind });
    const [shares, codes, grants] = await Promise.all([
      listDocumentShares(database.client, filter, MAX_LISTED),
      listDocumentQrCodes(database.client, params.accountId, MAX_LISTED.take),
      listDocumentGrants(database.client, filter, MAX_LISTED),
    ]);
    const path = getDocumentPath(services, params);
    const warning = refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale);
    return sendOwnerPage(services, request, reply, {
      title: document.title,
      tabTitle: getDocumentTabTitle(document, locale),
      entry: 'documents',
      status: status ?? (errors.length > 0 ? 400 : 200),
      body: html`${renderDocumentTabs(path, 'share', locale)}${warning ?? renderDone(Object(query), locale)}
<p>${renderDocumentFacts(document, locale)}</p>
${renderContentLinks(path, document, locale)}
${renderSharing({
  path,
  token: getPermittedFormToken(services, request, reply),
  timeZone: user.timeZone,
  locale,
  isStrict,
  shares: shares.rows.map((row) => toDocumentShareView(row, isStrict)),
  codes,
  codesPath: getCodesPath(services, params),
  grants: grants.rows.map((row) => toDocumentGrantView(fieldCipher, row)),
  errors,
  values,
})}`,
    });
  }

  /** A link is shown once: the service stores a hash of it. */
  async function sendLinkPage(
    request: DocumentRequest,
    reply: FastifyReply,
    { url, expiresAt }: { url: string; expiresAt: string | null },
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { timeZone } = requireAuthenticatedUser(request);
    const document = await requireOwnDocument(database.client, request.params);
    const until =
      expiresAt === null
        ? t(locale, 'app.documents.linkForever')
        : translateHtml(locale, 'app.documents.linkUntil', {
            date: renderMoment(new Date(expiresAt), { timeZone }, locale),
          });
    const copies = html`class="plain" data-copies="link" hidden`;
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.documents.linkTitle'),
      entry: 'documents',
      isNarrow: true,
      body: html`<p><bdi>${document.title}</bdi></p><p>${until} ${t(locale, 'app.documents.linkText')}</p>
<pre id="link" dir="ltr">${url}</pre>
<p class="actions"><button type="button" data-script="copy" ${copies}>${t(locale, 'app.settings.recoveryCodes.copy')}</button>
<button type="button" data-script="share" ${copies}>${t(locale, 'app.documents.send')}</button></p>
<p><a href="${getDocumentPath(services, request.params)}">${t(locale, 'app.documents.backToDocument')}</a></p>`,
    });
  }
};

function toShareFormError(error: FieldError): FieldError {
  const isDuration = error.field === 'expiresInSeconds' || error.field === 'expiresAt';
  return isDuration ? { ...error, field: 'duration' } : error;
}

function toGrantFormError(error: FieldError): FieldError {
  return { ...error, code: error.code === 'BAD_FORMAT' ? 'BAD_EMAIL' : error.code };
}

/** @throws what is no refusal */
function describeRefusal(
  error: unknown,
  reply: FastifyReply,
  locale: Locale,
  toFormError: (error: FieldError) => FieldError,
): Refused {
  if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED' && error.errors)
    return { status: 400, errors: error.errors.map(toFormError) };
  const { status, text } = translateRefusal(error, reply, locale, {
    TOO_MANY_SHARES: t(locale, 'app.documents.error.tooManyShares'),
    TOO_MANY_OFFERED_DOCUMENTS: t(locale, 'app.documents.error.tooManyOnCode'),
    IDEMPOTENCY_KEY_REUSED: t(locale, 'app.documents.error.sentBefore'),
  });
  return { status, refusal: text };
}
