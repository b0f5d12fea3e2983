import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  type ClaimableTag,
  canUndoClaim,
  createQrCodeGallery,
  findOwnQrCode,
  findTagOfCode,
  MAX_CLAIM_CODE_CHARACTERS,
} from '../../codes/index.ts';
import { addPicture, MAX_PICTURE_UPLOAD_BYTES } from '../../files/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import {
  claimTagByCode,
  getClaimableTag,
  MAX_CLAIM_NAME_CHARACTERS,
  undoOwnClaim,
} from '../../scans/index.ts';
import {
  renderConfirmation,
  renderErrorSummary,
  renderField,
  renderForm,
  renderNote,
  renderUploadProgress,
} from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage, withLanguage } from '../layout.ts';
import { getAccountPath, getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { SIGNED_OUT_ACCESS } from '../sign-in.routes.ts';
import { withTarget } from '../target.rules.ts';
import { translateRefusal } from '../translate-refusal.ts';

const ClaimParams = createIdParamsSchema('id');

const ClaimForm = Type.Object({
  name: Type.Optional(Type.String()),
  claimCode: Type.Optional(Type.String()),
});

type ClaimRequest = FastifyRequest<{ Params: { id: string } }>;

interface FormState {
  status?: number;
  values?: { name?: string; claimCode?: string };
  errors?: readonly FieldError[];
  refusal?: string;
}

/** Where the page of an unclaimed tag leads to: an account first, then a name for the tag. */
export const claimPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const gallery = createQrCodeGallery(services);
  const access = allowByCookie(allowUsersWithProfile('qrcodes:own'));
  const pagesPath = getOwnerPagesPath(services);
  const getPath = ({ params }: ClaimRequest) => `${pagesPath}/claim/${params.id}`;

  app.get(
    '/claim/:id',
    {
      config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: ClaimParams,
        querystring: Type.Object({
          lang: Type.Optional(Type.String()),
          done: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { user, params } = request;
      if (!user) {
        // Nobody makes an account for a tag that is taken.
        await getClaimableTag(services, params.id);
        return reply.redirect(
          withLanguage(withTarget(`${pagesPath}/sign-up`, getPath(request)), request),
          303,
        );
      }
      if (user.status === 'VERIFIED') {
        await getClaimableTag(services, params.id);
        const welcome = `${getAccountPath(services, user.id)}/welcome`;
        return reply.redirect(withTarget(welcome, getPath(request)), 303);
      }
      const own = await findOwnQrCode(services.database.client, requireAccount(request).id, params.id);
      const isUnclaimed = own === null || own.status === 'UNCLAIMED';
      return isUnclaimed ? sendForm(request, reply, {}) : sendClaimed(request, reply, request.query.done);
    },
  );

  app.post(
    '/claim/:id',
    {
      config: {
        access,
        audit: auditAs('TAG_CLAIMED'),
        rateLimitClass: 'upload',
        form: { files: { picture: { maxBytes: MAX_PICTURE_UPLOAD_BYTES } } },
      },
      schema: { hide: true, params: ClaimParams, body: ClaimForm },
    },
    async (request, reply) => {
      const { name = '', claimCode } = request.body;
      const title = name.trim().normalize('NFC');
      const errors = findNameErrors(title);
      if (errors.length > 0) return sendForm(request, reply, { status: 400, values: request.body, errors });
      const locale = chooseOwnerPageLocale(request);
      const { id: accountId } = requireAccount(request);
      try {
        await claimTagByCode(services, getRequestContext(request), {
          accountId,
          qrCodeId: request.params.id,
          name: title,
          claimCode,
        });
      } catch (error) {
        if (await isOwnClaim(error, accountId, request.params.id))
          return reply.redirect(`${getPath(request)}?done=claimed`, 303);
        const { status, text } = translateRefusal(error, reply, locale, {
          TAG_CLAIMED: t(locale, 'app.claim.taken'),
          CLAIM_CODE_INCORRECT: t(locale, 'app.claim.codeWrong'),
          PLAN_LIMIT_REACHED: t(locale, 'app.newCode.limit'),
        });
        return sendForm(request, reply, { status, values: request.body, refusal: text });
      }
      const done = (await addPhoto(request, accountId)) ? 'claimed' : 'without-photo';
      return reply.redirect(`${getPath(request)}?done=${done}`, 303);
    },
  );

  app.post(
    '/claim/:id/undo',
    {
      config: { access, audit: auditAs('CLAIM_UNDONE') },
      schema: { hide: true, params: ClaimParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      await undoOwnClaim(services, getRequestContext(request), { accountId, id: request.params.id });
      return reply.redirect(`${getPath(request)}?done=undone`, 303);
    },
  );

  /** Whether a form was sent twice, and the first one has claimed the tag. */
  async function isOwnClaim(error: unknown, accountId: string, id: string): Promise<boolean> {
    if (!(error instanceof ServiceError) || error.code !== 'TAG_CLAIMED') return false;
    return (await findOwnQrCode(services.database.client, accountId, id)) !== null;
  }

  /** False when it was refused: it can be added on the page of the code. */
  async function addPhoto(request: ClaimRequest, accountId: string): Promise<boolean> {
    const upload = request.formFiles.picture;
    if (!upload || upload.length === 0) return true;
    const context = { ...getRequestContext(request), audit: auditAs(gallery.auditActions.added) };
    try {
      const { disconnect, params } = request;
      await addPicture(services, context, gallery, {
        upload,
        disconnect,
        fields: {},
        userId: accountId,
        id: params.id,
      });
      return true;
    } catch (error) {
      if (error instanceof ServiceError && (error.statusCode < 500 || error.code === 'BUSY')) return false;
      throw error;
    }
  }

  async function sendForm(
    request: ClaimRequest,
    reply: FastifyReply,
    { status = 200, values = {}, errors = [], refusal }: FormState,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const tag = await findTagOfCode(services.database.client, request.params.id);
    if (!tag) throw new ServiceError('NOT_FOUND');
    const isTaken = tag.claimedAt !== null;
    // Nobody fills in a form for a tag that was deleted or is withheld.
    if (!isTaken) await getClaimableTag(services, tag.qrCodeId);
    const note = refusal ?? (isTaken ? t(locale, 'app.claim.taken') : null);
    // A browser fills in no file again.
    const isPhotoLost = (request.formFiles.picture?.length ?? 0) > 0;
    const token = getFormToken(services, request, reply);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.claim.title'),
      isNarrow: true,
      status: isTaken && status === 200 ? 409 : status,
      body: html`${note !== null ? renderNote(note, 'wrong') : renderErrorSummary(errors, locale)}${isUndone(request) && renderNote(t(locale, 'app.claim.undone'))}
<p>${describeTag(tag, locale)}</p>
${!isTaken && html`<p>${t(locale, 'app.claim.text')}</p>\n${renderForm({ action: getPath(request), token, isMultipart: true, submit: t(locale, 'app.claim.button'), fields: renderFields(tag, { values, isPhotoLost }, errors, locale) })}`}`,
    });
  }

  async function sendClaimed(
    request: ClaimRequest,
    reply: FastifyReply,
    done: string | undefined,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { id } = request.params;
    const codePath = `${getAccountPath(services, requireAccount(request).id)}/codes/${id}`;
    const tag = await findTagOfCode(services.database.client, id);
    if (!tag) return reply.redirect(codePath, 303);
    const token = getFormToken(services, request, reply);
    const undo = t(locale, 'app.claim.undo');
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.claim.done'),
      isNarrow: true,
      body: html`${done === 'without-photo' && renderNote(t(locale, 'app.claim.withoutPhoto'), 'wrong')}<p><a class="act wide" href="${codePath}/content">${t(locale, 'app.claim.open')}</a></p>
${canUndoClaim(tag) && renderConfirmation(undo, t(locale, 'app.claim.undoText'), { action: `${getPath(request)}/undo`, token, submit: undo, kind: 'danger' })}`,
    });
  }
};

function isUndone({ query }: FastifyRequest): boolean {
  return Reflect.get(Object(query), 'done') === 'undone';
}

function describeTag({ kind, accountName }: ClaimableTag, locale: Locale): Html {
  const name = accountName && html`<b><bdi>${accountName}</bdi></b>`;
  return html`${translateQrCodeKind(locale, kind)}${name && html` · ${translateHtml(locale, 'finder.claimFrom', { name })}`}`;
}

function findNameErrors(name: string): FieldError[] {
  const add = (code: string) => [{ field: 'name', code, message: '' }];
  if (name === '') return add('REQUIRED');
  if ([...name].length > MAX_CLAIM_NAME_CHARACTERS) return add('TOO_LONG');
  return /\p{Cc}/u.test(name) ? add('BAD_FORMAT') : [];
}

function renderFields(
  { claim, kind }: ClaimableTag,
  { values, isPhotoLost }: { values: NonNullable<FormState['values']>; isPhotoLost: boolean },
  errors: readonly FieldError[],
  locale: Locale,
): Html[] {
  const code = {
    name: 'claimCode',
    label: t(locale, 'app.claim.code'),
    value: values.claimCode,
    maxLength: MAX_CLAIM_CODE_CHARACTERS,
    autocomplete: 'off',
    isRequired: true,
  };
  return [
    ...(claim === 'BY_CODE' ? [renderField(code, errors, locale)] : []),
    renderField(
      {
        name: 'name',
        label: t(locale, 'app.claim.name'),
        hint: t(locale, 'app.claim.nameHint'),
        value: values.name,
        maxLength: MAX_CLAIM_NAME_CHARACTERS,
        isRequired: true,
      },
      errors,
      locale,
    ),
    ...(kind === 'MEDICAL'
      ? []
      : [
          renderField(
            {
              name: 'picture',
              label: t(locale, 'app.claim.photo'),
              ...(isPhotoLost && { hint: t(locale, 'app.claim.photoAgain') }),
              type: 'file',
              accept: 'image/*',
            },
            errors,
            locale,
          ),
          renderUploadProgress(locale),
        ]),
  ];
}
