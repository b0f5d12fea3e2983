import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { skipAudit } from '../../../platform/route-access.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { isTimeZone } from '../../../shared/formats.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import type { QrCodeKindDefinition } from '../../codes/index.ts';
import { createUnsavedCode, translateQrCodeKind } from '../../finder/index.ts';
import type { FormValues } from '../content/form-fields.rules.ts';
import {
  getKindByPath,
  getNewCodeVisibility,
  parseNewCodeForm,
  renderKindTiles,
  renderNewCodePage,
} from '../content/new-code-form.ts';
import { sendPreview } from '../content/preview.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage, withLanguage } from '../layout.ts';
import { getAccountPath, getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { SIGNED_OUT_ACCESS } from '../sign-in.routes.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { readCodeDraft, saveCodeDraft } from './code-draft.ts';
import { readDraftPicture } from './code-draft-picture.ts';
import { getNextPath, getStartPath, hasPhotoStep } from './start-paths.ts';

const KindParams = Type.Object({ kind: Type.String() });

type KindRequest = FastifyRequest<{ Params: { kind: string } }>;

interface StartForm {
  values?: FormValues;
  errors?: readonly FieldError[];
  status?: number;
  refusal?: string;
}

/** The first code of somebody who has no account yet: they fill it in and see its page before they sign up. */
export const startPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const path = `${getOwnerPagesPath(services)}/start`;
  const config = { access: SIGNED_OUT_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' } as const;
  const formSchema = { hide: true, params: KindParams, body: Type.Record(Type.String(), Type.String()) };

  app.get('/start', { config, schema: { hide: true } }, async (request, reply) => {
    if (request.user) return reply.redirect(`${getAccountPath(services, request.user.id)}/codes/new`, 303);
    const locale = chooseOwnerPageLocale(request);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.newCode.title'),
      address: path,
      body: html`${renderKindTiles((kind) => withLanguage(`${path}/${kind}`, request), locale)}
<p><a href="${withLanguage(`${getOwnerPagesPath(services)}/sign-in`, request)}">${t(locale, 'signUp.haveAccount')}</a></p>`,
    });
  });

  app.get('/start/:kind', { config, schema: { hide: true, params: KindParams } }, async (request, reply) => {
    const kind = getKindByPath(request.params.kind);
    const draft = await readCodeDraft(services, request);
    return sendForm(request, reply, kind, draft?.kind === kind.kind ? { values: draft.values } : {});
  });

  app.post(
    '/start/:kind',
    { config: { ...config, rateLimitClass: 'write' }, schema: formSchema },
    async (request, reply) => {
      const kind = getKindByPath(request.params.kind);
      const locale = chooseOwnerPageLocale(request);
      const timeZone = getTimeZone(request.body);
      const { errors, values } = parseNewCodeForm(services, kind, request.body, { timeZone, locale });
      if (errors.length > 0) return sendForm(request, reply, kind, { values, errors, status: 400 });
      try {
        await saveCodeDraft(services, request, reply, { kind: kind.kind, values: { ...values, timeZone } });
        const next = hasPhotoStep(kind)
          ? withLanguage(`${getStartPath(services, kind.kind)}/photo`, request)
          : getNextPath(services, request);
        return reply.redirect(next, 303);
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          RATE_LIMITED: t(locale, 'app.start.limited'),
        });
        return sendForm(request, reply, kind, { values, status, refusal: text });
      }
    },
  );

  app.get(
    '/start/:kind/preview',
    { config, schema: { hide: true, params: KindParams } },
    async (request, reply) => {
      const kind = getKindByPath(request.params.kind);
      return sendStartPreview(request, reply, kind, null);
    },
  );

  app.post('/start/:kind/preview', { config, schema: formSchema }, async (request, reply) =>
    sendStartPreview(request, reply, getKindByPath(request.params.kind), request.body),
  );

  async function sendStartPreview(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: QrCodeKindDefinition,
    input: FormValues | null,
  ): Promise<FastifyReply> {
    const found = await readCodeDraft(services, request);
    const draft = found?.kind === kind.kind ? found : null;
    const values = input ?? draft?.values ?? {};
    const picture = draft && (await readDraftPicture(services, draft));
    const code = createUnsavedCode(kind.kind, generateId(), getNewCodeVisibility(kind, values));
    if (picture) {
      const { width, height } = picture;
      code.pictures.push({ id: 'photo', caption: null, position: 1, width, height });
    }
    // The id completes it.
    const picturesAddress = `${getOwnerPagesPath(services)}/start`;
    const preview = { code, values, timeZone: getTimeZone(values), picturesAddress };
    return sendPreview(services, reply, preview, chooseOwnerPageLocale(request));
  }

  function sendForm(
    request: KindRequest,
    reply: FastifyReply,
    kind: QrCodeKindDefinition,
    { values = {}, errors = [], status = 200, refusal }: StartForm,
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const kindPath = getStartPath(services, kind.kind);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.newCode.heading', { kind: translateQrCodeKind(locale, kind.kind) }),
      address: kindPath,
      status,
      body: renderNewCodePage(kind, {
        values,
        errors,
        timeZone: getTimeZone(values),
        locale,
        action: withLanguage(kindPath, request),
        back: withLanguage(path, request),
        preview: withLanguage(`${kindPath}/preview`, request),
        token: getFormToken(services, request, reply),
        submit: t(locale, 'app.start.button'),
        otherFields: html`<input type="hidden" name="timeZone" data-script="time-zone">`,
        refusal,
      }),
    });
  }
};

/** Of the browser; without a script nobody knows it. */
export function getTimeZone({ timeZone }: FormValues): string {
  return timeZone && isTimeZone(timeZone) ? timeZone : 'UTC';
}
