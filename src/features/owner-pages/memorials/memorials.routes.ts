import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import { createQrCode, findOwnQrCode, getOwnerPreviewUrl } from '../../codes/index.ts';
import {
  changeMemoryTag,
  createMemoryTag,
  findMemoryTagErrors,
  listMemoryTags,
  listOwnCaredForMemoryTags,
  MEMORY_TAG_LIST_SORTS,
  MemoryTagChange,
  markMemoryTagOpenedByCaretaker,
  NewMemoryTag,
  removeMemoryTag,
} from '../../memory-tags/index.ts';
import { getCodesPath } from '../codes/code-parts.ts';
import {
  renderConfirmation,
  renderEmptyState,
  renderErrorSummary,
  renderForm,
  renderNote,
} from '../components.ts';
import { CursorParams, parseCursorPage, renderCursorLinks } from '../cursor-pages.ts';
import { getFormContext } from '../form-context.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';
import { renderArchive } from './archive.ts';
import { type MemorialValues, renderMemorialFields, toMemorialInput } from './memorial-fields.ts';
import {
  DoneQuery,
  describeRefusal,
  getMemorialPath,
  getMemorialsPath,
  MEMORIAL_ACCESS,
  MEMORIAL_FORM_CONFIG,
  MEMORIAL_PAGE_CONFIG,
  MemorialParams,
  type MemorialRequest,
  type Refused,
  renderDone,
  renderMemorialList,
  requireMemorial,
  sendMemorialPage,
} from './memorial-parts.ts';

const MEMORIALS_PER_PAGE = 25;

const AccountParams = createIdParamsSchema('accountId');

const MemorialForm = Type.Record(Type.String(), Type.String());

const findNewErrors = createBodyValidator(NewMemoryTag);
const findChangeErrors = createBodyValidator(MemoryTagChange);

type AccountRequest = FastifyRequest<{ Params: { accountId: string } }>;

/** Memorials: to their owner one thing, though each is a code and what its page says. */
export const memorialPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/:accountId/memorials',
    {
      config: MEMORIAL_PAGE_CONFIG,
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({ ...CursorParams, done: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const locale = chooseOwnerPageLocale(request);
      const user = requireAuthenticatedUser(request);
      const page = parseCursorPage(
        request,
        { filters: {}, limit: MEMORIALS_PER_PAGE },
        [MEMORY_TAG_LIST_SORTS['-createdAt'], MEMORY_TAG_LIST_SORTS.createdAt],
        query,
      );
      const [own, caredFor] = await Promise.all([
        database.read(({ client }) => listMemoryTags(client, params.accountId, {}, page.sort, page.range)),
        listOwnCaredForMemoryTags(
          services,
          { id: params.accountId, email: user.email },
          { skip: 0, take: 100 },
        ),
      ]);
      const { rows, ...positions } = page.toPage(own.rows);
      const path = getMemorialsPath(services, params);
      const canAdd = canUse(request, 'memory-tags:own', 'POST');
      const isEmpty = rows.length === 0 && caredFor.rows.length === 0;
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.settings.notifications.memorials'),
        entry: 'memorials',
        body: html`${renderDone(request, locale)}${canAdd && html`<p><a class="act" href="${path}/new">${t(locale, 'app.memorials.new')}</a></p>`}
${isEmpty ? renderEmptyState(t(locale, canAdd ? 'app.memorials.empty' : 'app.nothingYet')) : renderMemorialList(path, rows)}${renderCursorLinks(path, {}, positions, locale)}${
  caredFor.rows.length > 0 &&
  html`<section><h2>${t(locale, 'app.memorials.caring')}</h2>${renderMemorialList(
    path,
    caredFor.rows.map(({ memoryTag }) => memoryTag),
  )}</section>`
}`,
      });
    },
  );

  app.get(
    '/:accountId/memorials/new',
    { config: MEMORIAL_FORM_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) =>
      sendNewPage(request, reply, { guestBookOpen: 'on', anniversaryReminders: 'on' }),
  );

  app.post(
    '/:accountId/memorials',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('MEMORY_TAG_CREATED') },
      schema: { hide: true, params: AccountParams, body: MemorialForm },
    },
    async (request, reply) => {
      const { accountId } = request.params;
      const { key, codeKey, ...values } = request.body;
      const input = toMemorialInput(values, true);
      const errors = findErrors(input, findNewErrors);
      if (errors.length > 0) return sendNewPage(request, reply, values, { errors });
      try {
        await services.checkQuota(database.client, 'memoryTags', accountId);
        // Sent twice, both are created once.
        const code = await createQrCode(services, getFormContext(request, codeKey), accountId, {
          kind: 'MEMORY_TAG',
          title: input.name,
          data: { name: input.name },
        });
        const created = await createMemoryTag(services, getFormContext(request, key), accountId, {
          ...input,
          qrCodeId: code.body.id,
        });
        const path = getMemorialPath(services, { accountId, id: created.body.id });
        return reply.redirect(`${path}?done=created`, 303);
      } catch (error) {
        const isReused = error instanceof ServiceError && error.code === 'IDEMPOTENCY_KEY_REUSED';
        const keys = isReused ? {} : { key, codeKey };
        return sendNewPage(request, reply, { ...values, ...keys }, describeRefusal(error, request, reply));
      }
    },
  );

  app.get(
    '/:accountId/memorials/:id',
    {
      config: MEMORIAL_PAGE_CONFIG,
      schema: { hide: true, params: MemorialParams, querystring: DoneQuery },
    },
    async (request, reply) => sendStoryPage(request, reply),
  );

  app.post(
    '/:accountId/memorials/:id',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('MEMORY_TAG_UPDATED') },
      schema: { hide: true, params: MemorialParams, body: MemorialForm },
    },
    async (request, reply) => {
      const { accountId: userId, id } = request.params;
      const { version, ...values } = request.body;
      const { role } = await requireMemorial(services, request);
      const input = toMemorialInput(values, role === 'OWNER');
      const errors = findErrors(input, findChangeErrors);
      if (errors.length > 0) return sendStoryPage(request, reply, { errors }, values);
      try {
        const ifMatch = version === undefined ? undefined : formatVersionEtag(Number(version));
        await changeMemoryTag(services, getRequestContext(request), { id, userId }, input, ifMatch);
        return reply.redirect(`${getMemorialPath(services, request.params)}?done=saved`, 303);
      } catch (error) {
        return sendStoryPage(request, reply, describeRefusal(error, request, reply), values);
      }
    },
  );

  app.post(
    '/:accountId/memorials/:id/delete',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('MEMORY_TAG_DELETED') },
      schema: { hide: true, params: MemorialParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { accountId: userId, id } = request.params;
      await removeMemoryTag(services, getRequestContext(request), { id, userId }, undefined);
      return reply.redirect(`${getMemorialsPath(services, request.params)}?done=deleted`, 303);
    },
  );

  function findErrors(input: ReturnType<typeof toMemorialInput>, findSchemaErrors: typeof findNewErrors) {
    if (input.name === '') return [{ field: 'name', code: 'REQUIRED', message: '' }];
    const errors = findSchemaErrors({ ...input });
    return errors.length > 0 ? errors : findMemoryTagErrors(input);
  }

  function sendNewPage(
    request: AccountRequest,
    reply: FastifyReply,
    values: MemorialValues,
    { status, errors = [], refusal }: Refused = {},
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.memorials.new'),
      entry: 'memorials',
      isNarrow: true,
      status: status ?? (errors.length > 0 ? 400 : 200),
      body: html`${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)}${renderForm({
        action: getMemorialsPath(services, request.params),
        token: getPermittedFormToken(services, request, reply),
        // After a failure the same, so that nothing is created twice.
        hidden: { key: values.key ?? generateId(), codeKey: values.codeKey ?? generateId() },
        submit: t(locale, 'app.memorials.new'),
        fields: renderMemorialFields(values, errors, locale, true),
      })}`,
    });
  }

  async function sendStoryPage(
    request: MemorialRequest,
    reply: FastifyReply,
    refused: Refused = {},
    values?: MemorialValues,
  ): Promise<FastifyReply> {
    const { params } = request;
    const locale = chooseOwnerPageLocale(request);
    const memorial = await requireMemorial(services, request);
    const { row, role } = memorial;
    const isOwner = role === 'OWNER';
    if (!isOwner) await markMemoryTagOpenedByCaretaker(database.client, row.id, params.accountId);
    const path = getMemorialPath(services, params);
    const token = getPermittedFormToken(services, request, reply);
    const { name, subject, bornOn, diedOn, epitaph, story } = row;
    const stored = {
      name,
      subject,
      bornOn: bornOn ?? '',
      diedOn: diedOn ?? '',
      epitaph: epitaph ?? '',
      story: story ?? '',
      guestBookOpen: row.guestBookOpen ? 'on' : '',
      anniversaryReminders: row.anniversaryReminders ? 'on' : '',
    };
    const code = isOwner && row.qrCodeId !== null && row.qrCodeId;
    const links =
      code &&
      html`<p class="actions"><a class="act plain" href="${getAccountPath(services, params.accountId)}/codes/${code}/print">${t(locale, 'app.code.print')}</a><a class="act plain" href="${getOwnerPreviewUrl(services, code, locale.tag)}">${t(locale, 'app.code.preview')}</a></p>`;
    const codeRow = code && (await findOwnQrCode(database.client, params.accountId, code));
    const archive =
      codeRow &&
      renderArchive(codeRow, {
        codesPath: getCodesPath(services, params),
        memorialId: row.id,
        token: getPermittedFormToken(services, request, reply, 'qrcodes:own'),
        locale,
      });
    const end = isOwner
      ? renderConfirmation(t(locale, 'app.documents.delete'), t(locale, 'app.memorials.deleteText'), {
          action: `${path}/delete`,
          token,
          submit: t(locale, 'app.documents.deleteButton'),
          kind: 'danger',
        })
      : renderConfirmation(t(locale, 'app.memorials.leave'), t(locale, 'app.memorials.leaveText'), {
          action: `${path}/leave`,
          token,
          submit: t(locale, 'app.memorials.leaveButton'),
          kind: 'plain',
        });
    return sendMemorialPage(services, request, reply, {
      tab: 'story',
      memorial,
      refused,
      body: html`${links}<div class="narrow">${renderForm({
        action: path,
        token,
        isReadable: true,
        hidden: { version: values?.version ?? String(row.version) },
        submit: t(locale, 'app.content.save'),
        fields: renderMemorialFields(values ?? stored, refused.errors ?? [], locale, isOwner),
      })}${archive && html`<section>${archive}</section>`}${token !== null && html`<section>${end}</section>`}</div>`,
    });
  }
};
