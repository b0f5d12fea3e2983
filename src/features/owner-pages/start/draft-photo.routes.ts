import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { skipAudit } from '../../../platform/route-access.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { parseFieldVisibilities, resolveFieldVisibilities } from '../../codes/index.ts';
import { MAX_PICTURE_UPLOAD_BYTES, MISSING_PICTURE_ERROR } from '../../files/index.ts';
import {
  renderErrorSummary,
  renderField,
  renderForm,
  renderNote,
  renderUploadProgress,
} from '../components.ts';
import { getKindByPath, getNewCodeVisibility } from '../content/new-code-form.ts';
import { renderPreviewSection } from '../content/preview.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage, withLanguage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { SIGNED_OUT_ACCESS } from '../sign-in.routes.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { type CodeDraft, readCodeDraft } from './code-draft.ts';
import { deleteDraftPicture, readDraftPicture, saveDraftPicture } from './code-draft-picture.ts';
import { getDraftPhotoPath, getNextPath, getStartPath, hasPhotoStep } from './start-paths.ts';

const KindParams = Type.Object({ kind: Type.String() });

type KindRequest = FastifyRequest<{ Params: { kind: string } }>;

interface Refusal {
  status: number;
  errors?: readonly FieldError[];
  text?: string;
}

/** The photo of a code that is not made yet: only the browser with the cookie of the draft gets it. */
export const draftPhotoPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const config = { access: SIGNED_OUT_ACCESS, audit: skipAudit('QRCODE') } as const;

  app.get(
    '/start/photo',
    {
      config: { ...config, rateLimitClass: 'static' },
      // As pictures of codes, which have sizes; this one has one.
      schema: { hide: true, querystring: Type.Object({ w: Type.Optional(Type.String()) }) },
    },
    async (request, reply) => {
      const draft = await readCodeDraft(services, request);
      const picture = draft && (await readDraftPicture(services, draft));
      if (!picture) throw new ServiceError('NOT_FOUND');
      return reply
        .type('image/jpeg')
        .header('Cache-Control', 'no-store')
        .header('Content-Disposition', 'inline')
        .header('Content-Security-Policy', "default-src 'none'; sandbox")
        .send(picture.bytes);
    },
  );

  app.get(
    '/start/:kind/photo',
    { config: { ...config, rateLimitClass: 'page' }, schema: { hide: true, params: KindParams } },
    async (request, reply) => sendPhotoPage(request, reply),
  );

  app.post(
    '/start/:kind/photo',
    {
      config: {
        ...config,
        rateLimitClass: 'upload',
        form: { files: { picture: { maxBytes: MAX_PICTURE_UPLOAD_BYTES } } },
      },
      schema: {
        hide: true,
        params: KindParams,
        body: Type.Object({ remove: Type.Optional(Type.String()) }),
      },
      // A file is refused while it is received, before there is a form.
      errorHandler(error, request, reply) {
        return error instanceof ServiceError && error.code === 'PAYLOAD_TOO_LARGE'
          ? sendPhotoPage(request as KindRequest, reply, describeRefusal(error, request, reply))
          : app.errorHandler(error, request, reply);
      },
    },
    async (request, reply) => {
      const draft = await findDraft(request);
      if (!draft) return redirectToForm(request, reply);
      const upload = request.formFiles.picture;
      if (request.body.remove !== undefined) await deleteDraftPicture(services, draft);
      else if (!upload)
        return sendPhotoPage(request, reply, { status: 400, errors: [MISSING_PICTURE_ERROR] });
      else {
        const refusal = await savePhoto(request, reply, draft, upload);
        if (refusal) return sendPhotoPage(request, reply, refusal);
      }
      return reply.redirect(getPhotoPagePath(request), 303);
    },
  );

  async function savePhoto(
    request: KindRequest,
    reply: FastifyReply,
    draft: CodeDraft,
    upload: Buffer,
  ): Promise<Refusal | null> {
    try {
      if (await saveDraftPicture(services, request, draft, upload)) return null;
      return { status: 429, text: t(chooseOwnerPageLocale(request), 'app.start.photoLimited') };
    } catch (error) {
      return describeRefusal(error, request, reply);
    }
  }

  /** Null for a draft of another kind, or of one without photos. */
  async function findDraft(request: KindRequest): Promise<CodeDraft | null> {
    const kind = getKindByPath(request.params.kind);
    const draft = await readCodeDraft(services, request);
    return draft?.kind === kind.kind && hasPhotoStep(kind) ? draft : null;
  }

  function redirectToForm(request: KindRequest, reply: FastifyReply): FastifyReply {
    const { kind } = getKindByPath(request.params.kind);
    return reply.redirect(withLanguage(getStartPath(services, kind), request), 303);
  }

  function getPhotoPagePath(request: KindRequest): string {
    const { kind } = getKindByPath(request.params.kind);
    return withLanguage(`${getStartPath(services, kind)}/photo`, request);
  }

  async function sendPhotoPage(
    request: KindRequest,
    reply: FastifyReply,
    { status = 200, errors = [], text }: Partial<Refusal> = {},
  ): Promise<FastifyReply> {
    const draft = await findDraft(request);
    if (!draft) return redirectToForm(request, reply);
    const locale = chooseOwnerPageLocale(request);
    const kindPath = getStartPath(services, draft.kind);
    const hasPhoto = (await readDraftPicture(services, draft)) !== null;
    const form = { action: getPhotoPagePath(request), token: getFormToken(services, request, reply) };
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.start.photoTitle'),
      address: `${kindPath}/photo`,
      status,
      body: html`${text ? renderNote(text, 'wrong') : renderErrorSummary(errors, locale)}<div class="split"><div>
${hasPhoto ? renderPhoto() : renderUpload()}<p><a class="act${!hasPhoto && ' plain'}" href="${getNextPath(services, request)}">${t(locale, hasPhoto ? 'app.start.button' : 'app.start.withoutPhoto')}</a></p>
<p><a href="${withLanguage(kindPath, request)}">${t(locale, 'app.start.change')}</a></p></div>
${renderPreviewSection(t(locale, 'app.start.readyPreview'), withLanguage(`${kindPath}/preview`, request), locale)}</div>`,
    });

    function renderPhoto(): Html {
      return html`<p><img src="${getDraftPhotoPath(services)}" width="320" alt="${t(locale, 'app.start.photo')}"></p>
${renderForm({ ...form, submit: t(locale, 'app.content.pictureDelete'), hidden: { remove: 'yes' }, kind: 'plain' })}`;
    }

    function renderUpload(): Html {
      const field = {
        name: 'picture',
        label: t(locale, 'app.start.photo'),
        type: 'file',
        accept: 'image/*',
        hint: describePhoto(),
        isRequired: true,
        script: 'submit-on-change',
      } as const;
      return renderForm({
        ...form,
        isMultipart: true,
        fields: [renderField(field, errors, locale), renderUploadProgress(locale)],
        submit: t(locale, 'app.content.pictureAdd'),
      });
    }

    /** Of some kinds only its owner sees it at first. */
    function describePhoto(): Html {
      const kind = getKindByPath(request.params.kind);
      const visibility = parseFieldVisibilities(getNewCodeVisibility(kind, draft?.values ?? {}));
      const { pictures } = resolveFieldVisibilities(kind, visibility, false);
      return html`${t(locale, 'app.content.pictureHint')}${pictures === 'PRIVATE' && html` ${t(locale, 'app.newCode.onlyYou')}`}`;
    }
  }
};

/** @throws what is no refusal of a photo */
function describeRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): Refusal {
  if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED')
    return { status: 400, errors: [{ field: 'picture', code: 'NOT_A_PICTURE', message: '' }] };
  const locale = chooseOwnerPageLocale(request);
  return translateRefusal(error, reply, locale, {
    PAYLOAD_TOO_LARGE: t(locale, 'app.content.pictureTooLarge'),
  });
}
