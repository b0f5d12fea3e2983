import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowByCookie,
  allowUsersWithProfile,
  allowWriters,
  auditAs,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { createQrCode, createQrCodeGallery, getQrCodeKindByName } from '../../codes/index.ts';
import { addPicture } from '../../files/index.ts';
import { renderForm, renderNote } from '../components.ts';
import { parseNewCodeForm } from '../content/new-code-form.ts';
import { renderPreviewSection } from '../content/preview.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { type CodeDraft, deleteOwnCodeDraft, readCodeDraft } from './code-draft.ts';
import { readDraftPicture } from './code-draft-picture.ts';
import { getTimeZone } from './start.routes.ts';
import { getStartPath } from './start-paths.ts';

const AccountParams = createIdParamsSchema('accountId');

type AccountRequest = FastifyRequest<{ Params: { accountId: string } }>;

/** After the sign-in: the code that was filled in before it. */
export const draftCodePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const gallery = createQrCodeGallery(services);
  const access = allowByCookie(allowUsersWithProfile('qrcodes:own'));

  app.get(
    '/:accountId/start',
    {
      config: { access: allowWriters(access), audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: { hide: true, params: AccountParams },
    },
    async (request, reply) => {
      const draft = await readCodeDraft(services, request);
      return draft ? sendReadyPage(request, reply, draft, null) : redirectToAccount(request, reply);
    },
  );

  app.post(
    '/:accountId/start',
    {
      config: { access, audit: auditAs('QRCODE_CREATED') },
      schema: {
        hide: true,
        params: AccountParams,
        body: Type.Object({ discard: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { accountId } = request.params;
      const draft = await readCodeDraft(services, request);
      if (!draft) return redirectToAccount(request, reply);
      if (request.body.discard !== undefined) {
        await deleteOwnCodeDraft(services, reply, draft.id);
        return redirectToAccount(request, reply);
      }
      const locale = chooseOwnerPageLocale(request);
      const kind = getQrCodeKindByName(draft.kind);
      const timeZone = getTimeZone(draft.values);
      const { input, errors } = parseNewCodeForm(services, kind, draft.values, { timeZone, locale });
      if (errors.length > 0)
        return sendReadyPage(request, reply, draft, { status: 400, text: t(locale, 'app.error.summary') });
      try {
        // Sent twice it is created once.
        const context = { ...getRequestContext(request), idempotencyKey: draft.id };
        const { body: code } = await createQrCode(services, context, accountId, input);
        const hasPhoto = await addDraftPicture(request, draft, code.id);
        await deleteOwnCodeDraft(services, reply, draft.id);
        const path = `${getAccountPath(services, accountId)}/codes/${code.id}`;
        return reply.redirect(hasPhoto ? `${path}/print` : `${path}/content?done=without-photo`, 303);
      } catch (error) {
        const refusal = translateRefusal(error, reply, locale, {
          PLAN_LIMIT_REACHED: t(locale, 'app.newCode.limit'),
        });
        return sendReadyPage(request, reply, draft, refusal);
      }
    },
  );

  /** False when it was refused: it can be chosen again on the page that follows. */
  async function addDraftPicture(request: AccountRequest, draft: CodeDraft, id: string): Promise<boolean> {
    const picture = await readDraftPicture(services, draft);
    if (!picture) return true;
    const context = {
      ...getRequestContext(request),
      audit: auditAs(gallery.auditActions.added),
      idempotencyKey: `${draft.id}-picture`,
    };
    const upload = { upload: picture.bytes, disconnect: request.disconnect, fields: {} };
    try {
      await addPicture(services, context, gallery, { ...upload, userId: request.params.accountId, id });
      return true;
    } catch (error) {
      if (error instanceof ServiceError && (error.statusCode < 500 || error.code === 'BUSY')) return false;
      throw error;
    }
  }

  function redirectToAccount({ params }: AccountRequest, reply: FastifyReply): FastifyReply {
    return reply.redirect(getAccountPath(services, params.accountId), 303);
  }

  function sendReadyPage(
    request: AccountRequest,
    reply: FastifyReply,
    draft: CodeDraft,
    refusal: { status: number; text: string } | null,
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const startPath = getStartPath(services, draft.kind);
    const action = `${getAccountPath(services, request.params.accountId)}/start`;
    const token = getPermittedFormToken(services, request, reply);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.start.readyTitle'),
      status: refusal?.status ?? 200,
      body: html`${refusal && renderNote(refusal.text, 'wrong')}<div class="split"><div><p>${t(locale, 'app.start.readyText')}</p>
${renderForm({ action, token, submit: t(locale, 'app.newCode.button') })}<p><a href="${startPath}">${t(locale, 'app.start.change')}</a></p>
${renderForm({ action, token, submit: t(locale, 'app.start.discard'), hidden: { discard: 'yes' }, kind: 'plain' })}</div>
${renderPreviewSection(t(locale, 'app.start.readyPreview'), `${startPath}/preview`, locale)}</div>`,
    });
  }
};
