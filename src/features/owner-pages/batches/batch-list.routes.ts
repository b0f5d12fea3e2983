import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import { FIRST_PAGE_CURSOR, NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import {
  BATCH_KINDS,
  type BatchRecord,
  CLAIM_MODES,
  CREATE_TAGS_QUEUE,
  listBatches,
  MAX_BATCH_PREFIX_CHARACTERS,
  MAX_BATCH_TAGS,
  requestBatch,
} from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import {
  renderChoices,
  renderEmptyState,
  renderErrorSummary,
  renderField,
  renderForm,
  renderNote,
} from '../components.ts';
import { getFormContext } from '../form-context.ts';
import { type FormToken, getPermittedFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import {
  BATCH_PAGE_CONFIG,
  describeCounts,
  getBatchesPath,
  NEW_BATCH_ACCESS,
  renderBatchDone,
  translateBatchStatus,
} from './batch-parts.ts';

const AccountParams = createIdParamsSchema('accountId');

const NewBatchForm = Type.Object({
  kind: Type.Optional(Type.String()),
  prefix: Type.Optional(Type.String()),
  count: Type.Optional(Type.String()),
  claim: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
});

type PageRequest = FastifyRequest<{ Params: { accountId: string } }>;

type FormValues = Partial<Record<'kind' | 'prefix' | 'count' | 'claim', string>>;

interface ListState {
  status?: number;
  values?: FormValues;
  errors?: readonly FieldError[];
  refusal?: string;
  done?: string | undefined;
  cursor?: string | undefined;
}

const BATCHES_PER_PAGE = 100;

/** Batches of tags: the form of a new one, and those of the account. */
export const batchListPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/:accountId/batches',
    {
      config: BATCH_PAGE_CONFIG,
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({
          cursor: Type.Optional(Type.String()),
          done: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => sendList(request, reply, request.query),
  );

  app.post(
    '/:accountId/batches',
    {
      config: { access: NEW_BATCH_ACCESS, audit: auditAs('BATCH_REQUESTED'), rateLimitClass: 'upload' },
      schema: { hide: true, params: AccountParams, body: NewBatchForm },
    },
    async (request, reply) => {
      const { key, ...values } = request.body;
      const locale = chooseOwnerPageLocale(request);
      const { input, errors } = parseForm(values);
      if (errors.length > 0) return sendList(request, reply, { status: 400, values, errors });
      try {
        const user = requireAuthenticatedUser(request);
        const { body } = await requestBatch(services, getFormContext(request, key), user, input);
        services.jobs.wake(CREATE_TAGS_QUEUE);
        return reply.redirect(`${getBatchesPath(services, request.params)}/${body.id}`, 303);
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          TOO_MANY_BATCHES: t(locale, 'app.batches.tooMany'),
          TOO_MANY_STORED_BATCHES: t(locale, 'app.batches.tooManyStored'),
          PLAN_LIMIT_REACHED: t(locale, 'app.newCode.limit'),
          IDEMPOTENCY_KEY_REUSED: t(locale, 'app.newCode.sentBefore'),
        });
        return sendList(request, reply, { status, values, refusal: text });
      }
    },
  );

  async function sendList(
    request: PageRequest,
    reply: FastifyReply,
    { status = 200, values = {}, errors = [], refusal, done, cursor = FIRST_PAGE_CURSOR }: ListState,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const path = getBatchesPath(services, request.params);
    const { routeOptions, params } = request;
    const query = { limit: BATCHES_PER_PAGE, cursor };
    const page = parseListPage({ routeOptions, params, query }, NEWEST_FIRST);
    const list = await listBatches(database.client, params.accountId, page);
    const { data: rows, pagination } = toListPage(page, list, (row) => row);
    const token = getPermittedFormToken(services, request, reply);
    const user = requireAuthenticatedUser(request);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.batches.title'),
      entry: 'codes',
      status,
      body: html`${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)}${renderBatchDone(done, locale)}
${token !== null && html`<div class="narrow"><p>${t(locale, 'app.batches.text')}</p>\n${renderNewForm(path, token, values, errors, locale)}</div>`}
${rows.length > 0 && html`<section><h2>${t(locale, 'app.batches.title')}</h2><ul class="cards rows">${rows.map((row) => renderEntry(row, path, user, locale))}</ul>${pagination.nextCursor && html`<p><a class="act plain" rel="next" href="${path}?cursor=${pagination.nextCursor}">${t(locale, 'app.codes.next')}</a></p>`}</section>`}${token === null && rows.length === 0 && renderEmptyState(t(locale, 'app.nothingYet'))}`,
    });
  }
};

function parseForm({ kind, prefix, count, claim }: FormValues) {
  const errors: FieldError[] = [];
  const add = (field: string, code: string) => errors.push({ field, code, message: '' });
  const name = prefix?.trim() ?? '';
  if (name === '') add('prefix', 'REQUIRED');
  else if ([...name].length > MAX_BATCH_PREFIX_CHARACTERS) add('prefix', 'TOO_LONG');
  const tags = /^\d{1,9}$/.test(count?.trim() ?? '') ? Number(count) : null;
  if (tags === null) add('count', count ? 'BAD_NUMBER' : 'REQUIRED');
  else if (tags < 1) add('count', 'TOO_SMALL');
  else if (tags > MAX_BATCH_TAGS) add('count', 'TOO_LARGE');
  const input = {
    kind: BATCH_KINDS.find((one) => one === kind) ?? BATCH_KINDS[0],
    prefix: name,
    count: tags ?? 0,
    claim: CLAIM_MODES.find((one) => one === claim) ?? CLAIM_MODES[0],
  };
  return { input, errors };
}

function renderNewForm(
  action: string,
  token: FormToken,
  values: FormValues,
  errors: readonly FieldError[],
  locale: Locale,
): Html {
  const kinds = BATCH_KINDS.map((value) => ({ value, label: translateQrCodeKind(locale, value) }));
  return renderForm({
    action,
    token,
    submit: t(locale, 'app.batches.button'),
    hidden: { key: generateId() },
    fields: [
      renderField(
        { name: 'kind', label: t(locale, 'app.newCode.title'), value: values.kind, options: kinds },
        errors,
        locale,
      ),
      renderField(
        {
          name: 'prefix',
          label: t(locale, 'app.batches.prefix'),
          hint: t(locale, 'app.batches.prefixHint'),
          value: values.prefix,
          maxLength: MAX_BATCH_PREFIX_CHARACTERS,
          isRequired: true,
        },
        errors,
        locale,
      ),
      renderField(
        {
          name: 'count',
          label: t(locale, 'app.batches.count'),
          value: values.count,
          inputMode: 'numeric',
          isRequired: true,
        },
        errors,
        locale,
      ),
      renderChoices(
        {
          name: 'claim',
          legend: t(locale, 'app.batches.claim'),
          value: values.claim ?? 'OPEN',
          options: [
            { value: 'OPEN', label: t(locale, 'app.batches.claimOpen') },
            { value: 'BY_CODE', label: t(locale, 'app.batches.claimByCode') },
          ],
        },
        errors,
        locale,
      ),
    ],
  });
}

function renderEntry(row: BatchRecord, path: string, user: { timeZone: string }, locale: Locale): Html {
  return html`<li><div><h3 dir="auto"><a href="${path}/${row.id}">${row.prefix}</a></h3><p class="small">${renderMoment(row.createdAt, user, locale)} · ${describeCounts(row, locale)}</p></div><span class="chip">${translateBatchStatus(row, locale)}</span></li>\n`;
}
