import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import {
  allowByCookie,
  allowUsersWithProfile,
  allowWriters,
  auditAs,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema, Id } from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import { createQrCode, type QrCodeKindDefinition } from '../../codes/index.ts';
import { createUnsavedCode, translateQrCodeKind } from '../../finder/index.ts';
import { getFormContext } from '../form-context.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import type { FormValues } from './form-fields.rules.ts';
import {
  getKindByPath,
  getNewCodeVisibility,
  parseNewCodeForm,
  renderKindTiles,
  renderNewCodePage,
  toKindPath,
} from './new-code-form.ts';
import { sendPreview } from './preview.ts';

interface NewCodeForm {
  values?: FormValues;
  errors?: readonly FieldError[];
  status?: number;
  refusal?: string;
}

const AccountParams = createIdParamsSchema('accountId');
const KindParams = Type.Object({ accountId: Id, kind: Type.String() });

/** From the choice of a kind to a code. */
export const newCodePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const access = allowByCookie(allowUsersWithProfile('qrcodes:own'));
  const pageConfig = {
    access: allowWriters(access),
    audit: skipAudit('QRCODE'),
    rateLimitClass: 'page',
  } as const;
  const formSchema = { hide: true, params: KindParams, body: Type.Record(Type.String(), Type.String()) };

  app.get(
    '/:accountId/codes/new',
    { config: pageConfig, schema: { hide: true, params: AccountParams } },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const accountPath = getAccountPath(services, request.params.accountId);
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.newCode.title'),
        // A memorial comes with its story, pictures and guest book.
        body: html`${renderKindTiles((kind) => `${getNewCodePath(request.params.accountId)}/${kind}`, locale, `${accountPath}/memorials/new`)}
<p><a href="${accountPath}/imports">${t(locale, 'app.imports.entry')}</a></p>
<p><a href="${accountPath}/batches">${t(locale, 'app.batches.entry')}</a></p>`,
      });
    },
  );

  app.get(
    '/:accountId/codes/new/:kind',
    { config: pageConfig, schema: { hide: true, params: KindParams } },
    async (request, reply) => sendForm(request, reply, getKindByPath(request.params.kind), {}),
  );

  app.post(
    '/:accountId/codes/new/:kind',
    { config: { access, audit: auditAs('QRCODE_CREATED') }, schema: formSchema },
    async (request, reply) => {
      const { accountId, kind: kindPath } = request.params;
      const { key } = request.body;
      const locale = chooseOwnerPageLocale(request);
      const kind = getKindByPath(kindPath);
      const { timeZone } = requireAuthenticatedUser(request);
      const { input, errors, values } = parseNewCodeForm(services, kind, request.body, { timeZone, locale });
      if (errors.length > 0) return sendForm(request, reply, kind, { values, errors, status: 400 });
      try {
        // Sent twice it is created once.
        const context = getFormContext(request, key);
        const { body: code } = await createQrCode(services, context, accountId, input);
        return reply.redirect(
          `${getAccountPath(services, accountId)}/codes/${code.id}/content?done=created`,
          303,
        );
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          PLAN_LIMIT_REACHED: t(locale, 'app.newCode.limit'),
          IDEMPOTENCY_KEY_REUSED: t(locale, 'app.newCode.sentBefore'),
        });
        return sendForm(request, reply, kind, { values, status, refusal: text });
      }
    },
  );

  app.get(
    '/:accountId/codes/new/:kind/preview',
    { config: pageConfig, schema: { hide: true, params: KindParams } },
    async (request, reply) => sendNewCodePreview(request, reply, {}),
  );

  app.post(
    '/:accountId/codes/new/:kind/preview',
    { config: pageConfig, schema: formSchema },
    async (request, reply) => sendNewCodePreview(request, reply, request.body),
  );

  async function sendNewCodePreview(
    request: FastifyRequest<{ Params: { accountId: string; kind: string } }>,
    reply: FastifyReply,
    values: FormValues,
  ): Promise<FastifyReply> {
    const { accountId, kind: kindPath } = request.params;
    const kind = getKindByPath(kindPath);
    const code = createUnsavedCode(kind.kind, accountId, getNewCodeVisibility(kind, values));
    const { timeZone } = requireAuthenticatedUser(request);
    return sendPreview(services, reply, { code, values, timeZone }, chooseOwnerPageLocale(request));
  }

  function getNewCodePath(accountId: string): string {
    return `${getAccountPath(services, accountId)}/codes/new`;
  }

  function sendForm(
    request: FastifyRequest<{ Params: { accountId: string } }>,
    reply: FastifyReply,
    kind: QrCodeKindDefinition,
    { values = {}, errors = [], status = 200, refusal }: NewCodeForm,
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const { timeZone } = requireAuthenticatedUser(request);
    const path = getNewCodePath(request.params.accountId);
    const kindPath = `${path}/${toKindPath(kind.kind)}`;
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.newCode.heading', { kind: translateQrCodeKind(locale, kind.kind) }),
      status,
      body: renderNewCodePage(kind, {
        values,
        errors,
        timeZone,
        locale,
        action: kindPath,
        back: path,
        preview: `${kindPath}/preview`,
        token: getPermittedFormToken(services, request, reply),
        submit: t(locale, 'app.newCode.button'),
        hidden: { key: generateId() },
        refusal,
      }),
    });
  }
};
