import type { FastifyReply, FastifyRequest } from 'fastify';
import { getRequestContext } from '../../../platform/request-context.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { getQrCodeKindByName, readOwnQrCode, toPageDesign, toQrCodeView } from '../../codes/index.ts';
import { listPictures } from '../../files/index.ts';
import { getCodePath, getCodeTabTitle, renderCodeTabs } from '../codes/code-parts.ts';
import { renderErrorSummary, renderNote } from '../components.ts';
import { isPageOpen, renderPreview } from '../content/preview.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { renderDesignOffer } from './design-offer.ts';
import { mergePageDesignForm, type PageDesignFields, parsePageDesign } from './page-design-form.rules.ts';
import { renderDesignForms } from './page-design-form.ts';

const DONE_MESSAGES = {
  saved: 'app.content.done.saved',
  reset: 'app.page.done.reset',
  'picture-added': 'app.content.done.pictureAdded',
} as const satisfies Record<string, MessageKey>;

export type DesignDone = keyof typeof DONE_MESSAGES;

type CodeRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

interface DesignPage {
  status?: number;
  done?: string | undefined;
  refusal?: string | undefined;
  errors?: readonly FieldError[];
  /** Of a form that was refused. */
  fields?: PageDesignFields;
}

/** Describe why a use case refused the look of a page. @throws what is no refusal */
export function toRefusedDesign(error: unknown, request: CodeRequest, reply: FastifyReply): DesignPage {
  if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED' && error.errors) {
    const errors = error.errors.map((one) => ({ ...one, field: one.field.replace('pageDesign.', '') }));
    return { status: error.statusCode, errors };
  }
  const locale = chooseOwnerPageLocale(request);
  const isFeature = error instanceof ServiceError && error.members.limit === 'PAGE_DESIGN';
  const { status, text } = translateRefusal(error, reply, locale, {
    PLAN_LIMIT_REACHED: isFeature ? '' : t(locale, 'app.content.limit'),
    PRECONDITION_FAILED: t(locale, 'app.content.changed'),
    TOO_MANY_PICTURES: t(locale, 'app.content.tooManyPictures'),
    PAYLOAD_TOO_LARGE: t(locale, 'app.content.pictureTooLarge'),
  });
  // The page offers a package with it anyway.
  return { status, refusal: text || undefined };
}

/** Send the look of a page with its forms, and the page as finders see it. */
export async function sendDesignPage(
  services: OwnerPageServices,
  request: CodeRequest,
  reply: FastifyReply,
  { status = 200, done, refusal, errors = [], fields = {} }: DesignPage,
): Promise<FastifyReply> {
  const locale = chooseOwnerPageLocale(request);
  const { row, view, pictures } = await readOwnQrCode(
    services.database,
    getRequestContext(request),
    request.params,
    async (found, tx) => ({
      row: found,
      view: toQrCodeView(services, found, await services.isReadOnly(tx, 'qrCodes', found)),
      pictures: await listPictures(tx, found.accountId, { qrCodeId: found.id }),
    }),
  );
  const path = getCodePath(services, request.params);
  const brandColor = services.brand.color;
  const change = parsePageDesign(fields, { kind: row.kind, brandColor });
  const entered = mergePageDesignForm(toPageDesign(row.pageDesign), change);
  const body = row.mode === 'STATIC' ? renderNote(t(locale, 'app.page.static')) : await renderForms();
  return sendOwnerPage(services, request, reply, {
    title: row.title,
    tabTitle: getCodeTabTitle(row, locale),
    status,
    entry: 'codes',
    body: html`${renderCodeTabs(path, 'page', { canEdit: true, canRead: true, locale })}${renderDone(done)}${refusal && renderNote(refusal, 'wrong')}${renderErrorSummary(errors, locale)}${body}`,
  });

  async function renderForms(): Promise<Html> {
    const hasPictures = 'pictures' in getQrCodeKindByName(row.kind).defaultVisibility;
    const forms = renderDesignForms(
      {
        path,
        token: getPermittedFormToken(services, request, reply),
        kind: row.kind,
        version: row.version,
        design: entered,
        brandColor,
        pictures: hasPictures ? pictures : null,
        hasPreview: isPageOpen(view),
        errors,
      },
      locale,
    );
    const offer = await renderDesignOffer(services, request, locale);
    return html`<div class="split"><div>
<h2>${t(locale, 'app.history.field.pageDesign')}</h2>${offer}${forms}</div>
${renderPreview(services, view, locale)}</div>`;
  }

  function renderDone(name: string | undefined): Html | null {
    return isKeyOf(DONE_MESSAGES, name) ? renderNote(t(locale, DONE_MESSAGES[name])) : null;
  }
}
