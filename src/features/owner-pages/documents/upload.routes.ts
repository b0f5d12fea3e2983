import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import {
  addDocumentVersion,
  computeMaxDocumentFileBytes,
  createDocument,
  createDocumentUploadHandler,
  discardDocumentUpload,
  NewDocumentRequest,
  requireDocumentUpload,
  requireOwnDocument,
} from '../../documents/index.ts';
import {
  type Field,
  type FormErrors,
  renderErrorSummary,
  renderField,
  renderForm,
  renderNote,
  renderUploadProgress,
} from '../components.ts';
import { getFormContext } from '../form-context.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { formatSize } from '../format-size.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { renderDocumentFields, toDocumentInput } from './document-fields.ts';
import {
  DOCUMENT_ACCESS,
  DOCUMENT_FORM_CONFIG,
  DocumentParams,
  getDocumentPath,
  getDocumentsPath,
  getDocumentTabTitle,
} from './document-parts.ts';

const AccountParams = createIdParamsSchema('accountId');

const OptionalText = Type.Optional(Type.String());

const UploadForm = Type.Object({
  key: OptionalText,
  title: OptionalText,
  kind: OptionalText,
  expiresOn: OptionalText,
  note: OptionalText,
});

const findBodyErrors = createBodyValidator(NewDocumentRequest);

interface Refused {
  status?: number;
  errors?: FormErrors;
  values?: Partial<Record<string, string>>;
  refusal?: string | undefined;
  fileError?: string | undefined;
}

type AccountRequest = FastifyRequest<{ Params: { accountId: string } }>;
type DocumentRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

/** Uploads of documents and of their versions. */
export const documentUploadPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;
  app.addHook('onError', (request) => discardDocumentUpload(services, request));

  app.get(
    '/:accountId/documents/new',
    { config: DOCUMENT_FORM_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendUploadPage(request, reply),
  );

  app.post(
    '/:accountId/documents',
    {
      config: {
        access: DOCUMENT_ACCESS,
        audit: auditAs('DOCUMENT_CREATED'),
        rateLimitClass: 'upload',
        form: {
          files: {},
          streamed: createDocumentUploadHandler(
            services,
            async (request) => services.checkQuota(database.client, 'documents', requireAccount(request).id),
            { alwaysHashes: true },
          ),
        },
      },
      schema: { hide: true, params: AccountParams, body: UploadForm },
      // A file is refused while it is received, before there is a form.
      errorHandler(error, request, reply) {
        const refused = describeRefusedUpload(error, request, reply);
        return refused
          ? sendUploadPage(request as AccountRequest, reply, refused)
          : app.errorHandler(error, request, reply);
      },
    },
    async (request, reply) => {
      const { key, ...values } = request.body;
      const { accountId } = request.params;
      const input = toDocumentInput(values);
      const errors = findBodyErrors({ ...input });
      if (errors.length > 0) {
        await discardDocumentUpload(services, request);
        return sendUploadPage(request, reply, { errors, values });
      }
      // Sent twice it is created once.
      const context = getFormContext(request, key);
      const { body } = await createDocument(
        services,
        context,
        accountId,
        requireDocumentUpload(request),
        input,
      );
      return reply.redirect(`${getDocumentPath(services, { accountId, id: body.id })}?done=added`, 303);
    },
  );

  app.get(
    '/:accountId/documents/:id/versions/new',
    { config: DOCUMENT_FORM_CONFIG, schema: { hide: true, params: DocumentParams } },
    async (request, reply) => sendVersionPage(request, reply),
  );

  app.post(
    '/:accountId/documents/:id/versions',
    {
      config: {
        access: DOCUMENT_ACCESS,
        audit: auditAs('DOCUMENT_VERSION_ADDED'),
        rateLimitClass: 'upload',
        form: {
          files: {},
          streamed: createDocumentUploadHandler(
            services,
            async (request) => {
              await requireOwnDocument(database.client, toKey(request as DocumentRequest));
            },
            { alwaysHashes: true },
          ),
        },
      },
      schema: {
        hide: true,
        params: DocumentParams,
        body: Type.Object({ key: OptionalText, version: OptionalText }),
      },
      errorHandler(error, request, reply) {
        const refused = describeRefusedUpload(error, request, reply);
        return refused
          ? sendVersionPage(request as DocumentRequest, reply, refused)
          : app.errorHandler(error, request, reply);
      },
    },
    async (request, reply) => {
      const { key, version } = request.body;
      const context = getFormContext(request, key);
      const ifMatch = version === undefined ? undefined : formatVersionEtag(Number(version));
      const upload = requireDocumentUpload(request);
      await addDocumentVersion(services, context, toKey(request), upload, ifMatch);
      return reply.redirect(`${getDocumentPath(services, request.params)}/versions?done=version`, 303);
    },
  );

  function toKey(request: DocumentRequest) {
    return { accountId: requireAccount(request).id, id: request.params.id };
  }

  async function sendUploadPage(
    request: AccountRequest,
    reply: FastifyReply,
    refused: Refused = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { errors = [], values = {} } = refused;
    return sendForm(request, reply, refused, {
      title: t(locale, 'app.documents.add'),
      path: getDocumentsPath(services, request.params),
      back: '',
      action: '',
      fields: renderDocumentFields(values, errors, locale),
    });
  }

  async function sendVersionPage(
    request: DocumentRequest,
    reply: FastifyReply,
    refused: Refused = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const document = await requireOwnDocument(database.client, toKey(request));
    return sendForm(request, reply, refused, {
      title: t(locale, 'app.documents.addVersion'),
      tabTitle: getDocumentTabTitle(document, locale),
      path: getDocumentPath(services, request.params),
      back: '/versions',
      action: '/versions',
      text: html`<p><bdi>${document.title}</bdi></p><p>${t(locale, 'app.documents.versionText')}</p>`,
      hidden: { version: String(document.version) },
    });
  }

  async function sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, errors = [], refusal, fileError }: Refused,
    form: {
      title: string;
      tabTitle?: string;
      path: string;
      back: string;
      action: string;
      text?: ReturnType<typeof html>;
      fields?: ReturnType<typeof html>;
      hidden?: Record<string, string>;
    },
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { maxDocumentBytes } = services.config;
    const { limits } = await services.getPlan(database.client, requireAccount(request).id);
    const maxBytes = computeMaxDocumentFileBytes(limits.storageBytes, maxDocumentBytes);
    const fieldErrors = fileError ? [{ field: 'file', code: 'INVALID', message: '' }] : errors;
    return sendOwnerPage(services, request, reply, {
      title: form.title,
      tabTitle: form.tabTitle,
      entry: 'documents',
      isNarrow: true,
      status: status ?? (fieldErrors.length > 0 ? 400 : 200),
      body: html`${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(fieldErrors, locale)}${form.text}
${renderForm({
  action: `${form.path}${form.action}`,
  token: getPermittedFormToken(services, request, reply),
  isMultipart: true,
  hidden: { key: generateId(), ...form.hidden },
  submit: t(locale, 'app.documents.upload'),
  fields: html`${renderField(createFileField(maxBytes, fileError, locale), fieldErrors, locale)}${form.fields}${renderUploadProgress(locale)}`,
})}<p><a href="${form.path}${form.back}">${t(locale, 'app.documents.back')}</a></p>`,
    });
  }
};

function createFileField(maxBytes: number, error: string | undefined, locale: Locale): Field {
  return {
    name: 'file',
    label: t(locale, 'app.documents.file'),
    type: 'file',
    hint: t(locale, 'app.documents.fileHint', { size: formatSize(maxBytes, locale) }),
    isRequired: true,
    error,
  };
}

/** Null for what is no refusal of an upload: other pages are for that. */
function describeRefusedUpload(error: unknown, request: FastifyRequest, reply: FastifyReply): Refused | null {
  if (!(error instanceof ServiceError)) return null;
  const locale = chooseOwnerPageLocale(request);
  const { code, statusCode: status, errors = [] } = error;
  if (code === 'VALIDATION_FAILED')
    return errors.some(({ field }) => field === 'file')
      ? { status, fileError: t(locale, 'app.documents.error.missing') }
      : null;
  const fileErrors = {
    FILE_TYPE_UNSUPPORTED: t(locale, 'app.documents.error.type'),
    PAYLOAD_TOO_LARGE: t(locale, 'app.documents.error.tooLarge'),
    FILE_INFECTED: t(locale, 'app.documents.error.infected'),
  };
  if (isKeyOf(fileErrors, code)) return { status, fileError: fileErrors[code] };
  const texts = {
    PLAN_LIMIT_REACHED: t(locale, 'app.content.limit'),
    IDEMPOTENCY_KEY_REUSED: t(locale, 'app.documents.error.sentBefore'),
    TOO_MANY_VERSIONS: t(locale, 'app.documents.error.tooManyVersions'),
    PRECONDITION_FAILED: t(locale, 'app.content.changed'),
  };
  if (!isKeyOf(texts, code) && code !== 'BUSY') return null;
  return { status, refusal: translateRefusal(error, reply, locale, texts).text };
}
