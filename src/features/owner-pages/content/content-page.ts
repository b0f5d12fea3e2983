import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { readOwnQrCode, toQrCodeView } from '../../codes/index.ts';
import { listPictures, listRestorablePictures } from '../../files/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { getCodePath, getCodeTabTitle, renderCodeTabs } from '../codes/code-parts.ts';
import { renderErrorSummary, renderForm, renderNote } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { describeVisibleFields, renderContentFields } from './content-form.ts';
import { renderDeletedPictures } from './deleted-pictures-section.ts';
import { serializeBase } from './merge-changes.rules.ts';
import { renderPictures, renderPictureUndo } from './pictures-section.ts';
import { renderPinForms } from './pin-forms.ts';
import { isPageOpen, renderPreview, renderPreviewButton } from './preview.ts';
import { type EditedCode, getEditedCode, type SaveResult, toValues } from './save-content.ts';

const DONE_MESSAGES = {
  created: 'app.content.done.created',
  'without-photo': 'app.content.done.withoutPhoto',
  saved: 'app.content.done.saved',
  'pin-set': 'app.content.done.pinSet',
  'pin-removed': 'app.content.done.pinRemoved',
  'picture-added': 'app.content.done.pictureAdded',
  'picture-restored': 'app.content.done.pictureRestored',
} as const satisfies Record<string, MessageKey>;

type Done = keyof typeof DONE_MESSAGES | 'picture-deleted';

interface ContentPage {
  status?: number;
  refusal?: string;
  done?: string | undefined;
  /** Of the photo that was deleted. */
  id?: string | undefined;
  /** Of a form that was refused. */
  rejected?: SaveResult['rejected'];
  /** Of the forms for the PIN and for photos. */
  formErrors?: readonly FieldError[];
}

type CodeRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

/** After a form: show the content again, and say what was done. */
export function redirectToContent(
  services: OwnerPageServices,
  { params }: CodeRequest,
  reply: FastifyReply,
  done: Done,
  id?: string,
): FastifyReply {
  return reply.redirect(formatListPath(`${getCodePath(services, params)}/content`, { done, id }), 303);
}

/** Describe why a use case refused a form. @throws what is no refusal */
export function toRefusedPage(error: unknown, request: FastifyRequest, reply: FastifyReply): ContentPage {
  const locale = chooseOwnerPageLocale(request);
  const { status, text } = translateRefusal(error, reply, locale, {
    PLAN_LIMIT_REACHED: t(locale, 'app.content.limit'),
    IMMUTABLE_FIELD: t(locale, 'app.content.static'),
    PRECONDITION_FAILED: t(locale, 'app.content.changed'),
    TOO_MANY_PICTURES: t(locale, 'app.content.tooManyPictures'),
    PAYLOAD_TOO_LARGE: t(locale, 'app.content.pictureTooLarge'),
    PICTURES_NOT_SUPPORTED: t(locale, 'app.refusedText'),
  });
  return { status, refusal: text };
}

/** Send the content of a code with its forms. Audited as a reading, whatever a form was answered. */
export async function sendContentPage(
  services: OwnerPageServices,
  request: CodeRequest,
  reply: FastifyReply,
  { status = 200, refusal, done, id, rejected, formErrors = [] }: ContentPage,
): Promise<FastifyReply> {
  const { database } = services;
  const locale = chooseOwnerPageLocale(request);
  const { timeZone } = requireAuthenticatedUser(request);
  const token = getPermittedFormToken(services, request, reply);
  const { row, view, pictures, deletedPictures } = await readOwnQrCode(
    database,
    getRequestContext(request),
    request.params,
    async (found, tx) => ({
      row: found,
      view: toQrCodeView(services, found, await services.isReadOnly(tx, 'qrCodes', found)),
      pictures: await listPictures(tx, found.accountId, { qrCodeId: found.id }),
      deletedPictures:
        token === null ? [] : await listRestorablePictures(tx, found.accountId, { qrCodeId: found.id }),
    }),
  );
  const stored = getEditedCode(services, row, timeZone);
  const { code = stored, errors = [], clashes = [] } = rejected ?? {};
  const path = getCodePath(services, request.params);
  const form = renderForm({
    action: `${path}/content`,
    className: 'long',
    token,
    isReadable: true,
    submit: t(locale, clashes.length > 0 ? 'app.content.saveAnyway' : 'app.content.save'),
    hidden: { version: String(row.version), base: serializeBase(toValues(row.kind, stored)) },
    fields: renderContentFields({ kind: row.kind, code, errors, timeZone, clashes, stored }, locale),
    others: isPageOpen(view) ? renderPreviewButton(locale, `${path}/preview`) : null,
  });
  const forms = html`${token !== null && view.readOnly && renderNote(t(locale, 'app.content.readOnly'))}${form}${
    'pictures' in stored.visibility &&
    html`${renderPictures({ path, token, pictures, errors: formErrors }, locale)}${renderDeletedPictures({ path, token, pictures: deletedPictures }, locale)}`
  }${token !== null && renderPinForms({ path, token, hasPin: view.hasPin, errors: formErrors }, locale)}`;
  return sendOwnerPage(services, request, reply, {
    title: row.title,
    tabTitle: getCodeTabTitle(row, locale),
    status,
    entry: 'codes',
    body: html`${renderCodeTabs(path, 'content', { canEdit: token !== null, canRead: true, locale })}<p class="small">${translateQrCodeKind(locale, row.kind)}</p>
${renderPictureUndo(path, { done, id }, token, locale) ?? renderDone(done, locale)}${refusal && renderNote(refusal, 'wrong')}${renderErrorSummary([...errors, ...formErrors], locale)}${
  clashes.length > 0 && renderNote(t(locale, 'app.content.conflict'), 'wrong')
}<div class="split"><div>
<h2>${t(locale, 'app.content.title')}</h2>
<p><span id="visible" role="status">${describeVisibleFields(code, locale)}</span>${!view.hasPin && usesPin(stored) && html` ${t(locale, 'app.content.noPin')}`} <a href="#preview">${t(locale, 'app.content.preview')}</a></p>
${view.warnings.includes('NOTHING_PUBLIC') && renderNote(t(locale, 'app.content.nothingPublic'), 'wrong')}${
  row.mode === 'STATIC' ? renderNote(t(locale, 'app.content.static')) : forms
}</div>
${renderPreview(services, view, locale)}</div>`,
  });
}

function renderDone(done: string | undefined, locale: Locale): Html | null {
  return isKeyOf(DONE_MESSAGES, done) ? renderNote(t(locale, DONE_MESSAGES[done])) : null;
}

function usesPin({ data, visibility }: EditedCode): boolean {
  return Object.keys(data).some((field) => visibility[field] === 'PIN');
}
