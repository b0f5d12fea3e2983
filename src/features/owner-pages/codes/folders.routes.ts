import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  changeFolder,
  createFolder,
  deleteFolder,
  FOLDER_COLORS,
  NewFolder,
  readFolder,
  readFolders,
  restoreFolder,
} from '../../codes/index.ts';
import { type FormErrors, renderErrorSummary, renderNote } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { CODE_ACCESS, CODE_FORM_ACCESS, CodeParams, DoneQuery } from './code-actions.ts';
import { getCodesPath } from './code-parts.ts';
import {
  type FolderDone,
  type FolderDraft,
  renderFolderDone,
  renderFolderList,
  renderFolderPage,
} from './folders-page.ts';

const FolderForm = Type.Object({
  name: Type.Optional(Type.String()),
  color: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
});

type AccountRequest = FastifyRequest<{ Params: { accountId: string } }>;
type FolderRequest = FastifyRequest<{ Params: Static<typeof CodeParams> }>;

interface Refused {
  status: number;
  draft?: FolderDraft;
  errors?: FormErrors;
  refusal?: string;
}

const findFolderErrors = createBodyValidator(NewFolder);

/** The folders of an account: created, renamed, colored, deleted and restored. */
export const folderPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const params = createIdParamsSchema('accountId');

  app.get(
    '/:accountId/codes/folders',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, params, querystring: DoneQuery },
    },
    async (request, reply) => sendListPage(request, reply),
  );

  app.post(
    '/:accountId/codes/folders',
    {
      config: { access: CODE_ACCESS, audit: auditAs('FOLDER_CREATED') },
      schema: { hide: true, params, body: FolderForm },
    },
    async (request, reply) => {
      const { input, draft, errors } = parseFolderForm(request.body);
      if (errors.length > 0) return sendListPage(request, reply, { status: 400, draft, errors });
      try {
        const { accountId } = request.params;
        const { body } = await createFolder(services, getRequestContext(request), accountId, input);
        return lead(request, reply, 'created', body.id);
      } catch (error) {
        return sendListPage(request, reply, { ...refuse(request, reply, error), draft });
      }
    },
  );

  app.get(
    '/:accountId/codes/folders/:id',
    {
      config: { access: CODE_FORM_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => sendFolderPage(request, reply),
  );

  app.post(
    '/:accountId/codes/folders/:id/change',
    {
      config: { access: CODE_ACCESS, audit: auditAs('FOLDER_UPDATED') },
      schema: { hide: true, params: CodeParams, body: FolderForm },
    },
    async (request, reply) => {
      const { input, draft, errors } = parseFolderForm(request.body);
      if (errors.length > 0) return sendFolderPage(request, reply, { status: 400, draft, errors });
      const { version } = request.body;
      const ifMatch = version === undefined ? undefined : formatVersionEtag(Number(version));
      try {
        await changeFolder(services, getRequestContext(request), request.params, input, ifMatch);
        return lead(request, reply, 'changed', request.params.id);
      } catch (error) {
        return sendFolderPage(request, reply, { ...refuse(request, reply, error), draft });
      }
    },
  );

  app.post(
    '/:accountId/codes/folders/:id/delete',
    {
      config: { access: CODE_ACCESS, audit: auditAs('FOLDER_DELETED') },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      await deleteFolder(services, getRequestContext(request), request.params, undefined);
      return lead(request, reply, 'deleted', request.params.id);
    },
  );

  app.post(
    '/:accountId/codes/folders/:id/restore',
    {
      config: { access: CODE_ACCESS, audit: auditAs('FOLDER_RESTORED') },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      try {
        await restoreFolder(services, getRequestContext(request), request.params, undefined);
        return lead(request, reply, 'restored', request.params.id);
      } catch (error) {
        return sendListPage(request, reply, refuse(request, reply, error));
      }
    },
  );

  function lead(request: AccountRequest, reply: FastifyReply, done: FolderDone, id: string): FastifyReply {
    return reply.redirect(`${getCodesPath(services, request.params)}/folders?done=${done}&id=${id}`, 303);
  }

  /** @throws what is no refusal */
  function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Refused {
    const locale = chooseOwnerPageLocale(request);
    const { status, text } = translateRefusal(error, reply, locale, {
      TOO_MANY_FOLDERS: t(locale, 'app.folders.tooMany'),
      FOLDER_NAME_TAKEN: t(locale, 'app.folders.taken'),
      PRECONDITION_FAILED: t(locale, 'app.content.changed'),
    });
    return { status, refusal: text };
  }

  async function sendListPage(
    request: AccountRequest,
    reply: FastifyReply,
    { status = 200, draft = {}, errors = [], refusal }: Partial<Refused> = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const codesPath = getCodesPath(services, request.params);
    const token = getPermittedFormToken(services, request, reply);
    const folders = await readFolders(services, request.params.accountId, requireAccount(request).folderIds);
    const query = request.method === 'GET' ? Object(request.query) : {};
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.folders.title'),
      entry: 'codes',
      status,
      body: html`${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)}${renderFolderDone(`${codesPath}/folders`, query, token, locale)}
${renderFolderList({ codesPath, folders, draft, errors, token }, locale)}`,
    });
  }

  async function sendFolderPage(
    request: FolderRequest,
    reply: FastifyReply,
    { status = 200, draft = {}, errors = [], refusal }: Partial<Refused> = {},
  ): Promise<FastifyReply> {
    const { params } = request;
    const locale = chooseOwnerPageLocale(request);
    const folder = await readFolder(services, params);
    const token = getPermittedFormToken(services, request, reply);
    return sendOwnerPage(services, request, reply, {
      title: folder.name,
      entry: 'codes',
      isNarrow: true,
      status,
      body: html`${refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)}${renderFolderPage(
        {
          accountPath: getAccountPath(services, params.accountId),
          codesPath: getCodesPath(services, params),
          folder,
          draft,
          errors,
          token,
        },
        locale,
      )}`,
    });
  }
};

function parseFolderForm(form: Static<typeof FolderForm>) {
  const draft = { name: form.name, color: form.color };
  const input = {
    name: form.name?.trim() ?? '',
    color: FOLDER_COLORS.find((color) => color === form.color) ?? 'GRAY',
  };
  const errors =
    input.name === '' ? [{ field: 'name', code: 'REQUIRED', message: '' }] : findFolderErrors({ ...input });
  return { input, draft, errors };
}
