import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { canReadHealthData } from '../../../platform/health-data.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import {
  createImportDraft,
  createImportUploadHandler,
  discardImportUpload,
  findImportUpload,
  type ImportRecord,
  listImportDrafts,
  listImports,
  QR_CODE_KIND_NAMES,
  readUploadHeader,
} from '../../codes/index.ts';
import {
  renderEmptyState,
  renderErrorSummary,
  renderField,
  renderForm,
  renderNote,
  renderUploadProgress,
} from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { guessColumns } from './column-targets.rules.ts';
import {
  getImportRefusals,
  getImportsPath,
  IMPORT_PAGE_CONFIG,
  listKindOptions,
  NEW_IMPORT_ACCESS,
} from './import-parts.ts';
import { renderCounts, STATUS_LABELS } from './import-status.ts';

const AccountParams = createIdParamsSchema('accountId');

const MAX_LISTED = { skip: 0, take: 25 };

const FILE_REFUSALS: readonly string[] = [
  'FILE_TYPE_UNSUPPORTED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'BUSY',
];

type PageRequest = FastifyRequest<{ Params: { accountId: string } }>;

interface Refusal {
  status?: number;
  errors?: readonly FieldError[];
  refusal?: string;
}

/** The imports of an account, and the upload of a file. */
export const importListPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  // A file that a draft has stays.
  app.addHook('onResponse', (request) => discardImportUpload(services, request));

  // A file is refused while it is read, before there is a form.
  app.setErrorHandler<Error>(async (error, request, reply) => {
    const { accountId } = Object(request.params);
    const isOwn =
      request.method === 'POST' && request.user?.account?.id === accountId && accountId !== undefined;
    if (!isOwn || !(error instanceof ServiceError)) throw error;
    if (!FILE_REFUSALS.includes(error.code)) throw error;
    return sendRefused(request as PageRequest, reply, error);
  });

  app.get(
    '/:accountId/imports',
    { config: IMPORT_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendList(request, reply, {}),
  );

  app.post(
    '/:accountId/imports',
    {
      config: {
        access: NEW_IMPORT_ACCESS,
        audit: skipAudit('USER'),
        rateLimitClass: 'upload',
        form: { files: {}, streamed: createImportUploadHandler(services, async () => {}) },
      },
      schema: {
        hide: true,
        params: AccountParams,
        body: Type.Object({ kind: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { accountId } = request.params;
      const locale = chooseOwnerPageLocale(request);
      const upload = findImportUpload(request);
      try {
        if (!upload) throw new ServiceError('VALIDATION_FAILED');
        const header = await readUploadHeader(upload.head);
        const kind = QR_CODE_KIND_NAMES.find((name) => name === request.body.kind) ?? null;
        const mapping = { kind, columns: guessColumns(header, kind, locale) };
        const { requestId } = getRequestContext(request);
        const id = await createImportDraft(services, { accountId, requestId, file: upload.file, mapping });
        return reply.redirect(`${getImportsPath(services, { accountId })}/${id}`, 303);
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED')
          return sendList(request, reply, {
            status: 400,
            errors: [{ field: 'file', code: upload ? 'BAD_FORMAT' : 'REQUIRED', message: '' }],
          });
        return sendRefused(request, reply, error);
      }
    },
  );

  function sendRefused(request: PageRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { status, text } = translateRefusal(error, reply, locale, getImportRefusals(locale));
    return sendList(request, reply, { status, refusal: text });
  }

  async function sendList(
    request: PageRequest,
    reply: FastifyReply,
    { status = 200, errors = [], refusal }: Refusal,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { accountId } = request.params;
    const path = getImportsPath(services, request.params);
    const [drafts, { rows }] = await Promise.all([
      listImportDrafts(database.client, accountId),
      listImports(database.client, accountId, { ...MAX_LISTED, after: null }),
    ]);
    const token = getPermittedFormToken(services, request, reply);
    const upload = renderForm({
      action: path,
      token,
      submit: t(locale, 'app.imports.upload'),
      isMultipart: true,
      fields: [
        renderField(
          {
            name: 'kind',
            label: t(locale, 'app.newCode.title'),
            options: [{ value: '', label: t(locale, 'app.imports.kindColumn') }, ...listKindOptions(locale)],
          },
          errors,
          locale,
        ),
        renderField(
          {
            name: 'file',
            label: t(locale, 'app.imports.file'),
            type: 'file',
            accept: '.xlsx,.csv,.tsv,.txt,text/csv',
            hint: t(locale, 'app.imports.fileHint'),
            isRequired: true,
          },
          errors,
          locale,
        ),
        renderUploadProgress(locale),
      ],
    });
    const user = requireAuthenticatedUser(request);
    const canOpen = canReadHealthData(getRequestContext(request));
    const renderImport = (row: ImportRecord) => renderEntry(row, canOpen ? path : null, user, locale);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.imports.title'),
      entry: 'codes',
      status,
      body: html`${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)}${token !== null && html`<div class="narrow"><p>${t(locale, 'app.imports.text')}</p>\n${upload}</div>`}
${token !== null && drafts.length > 0 && html`<section><h2>${t(locale, 'app.imports.drafts')}</h2><ul class="cards rows">${drafts.map(renderImport)}</ul></section>`}
${rows.length > 0 && html`<section><h2>${t(locale, 'app.imports.list')}</h2><ul class="cards rows">${rows.map(renderImport)}</ul></section>`}${token === null && rows.length === 0 && renderEmptyState(t(locale, 'app.nothingYet'))}`,
    });
  }
};

/** Rows of an import can have content of medical codes, so that some only learn that there was one. */
function renderEntry(
  row: ImportRecord,
  path: string | null,
  user: { timeZone: string },
  locale: Locale,
): Html {
  const time = renderMoment(row.createdAt, user, locale);
  const state = row.isDraft ? 'DRAFT' : row.status;
  const label = isKeyOf(STATUS_LABELS, state) ? STATUS_LABELS[state] : 'app.imports.status.failed';
  return html`<li><div><h3>${path === null ? time : html`<a href="${path}/${row.id}">${time}</a>`}</h3><p class="small">${!row.isDraft && renderCounts(row, locale)}</p></div><span class="chip">${t(locale, label)}</span></li>\n`;
}
