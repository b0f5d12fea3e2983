import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { Id, stringEnum } from '../../../shared/common.schemas.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { getOwnQrCode, readOwnQrCodeImage, sendQrCodeImage } from '../../codes/index.ts';
import { renderForm, renderSelect } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { CodeParams, ONE_CODE_ACCESS } from './code-actions.ts';
import {
  getCodePath,
  getCodeRights,
  getCodeTabTitle,
  renderCodeTabs,
  renderLocalNote,
  renderShortNumber,
} from './code-parts.ts';
import { drawIfReadable, renderUnreadablePrint, type UnreadablePrint } from './unreadable-print.ts';

/** The style has a class for each. */
const SIZES_MILLIMETERS = ['20', '30', '40', '60', '100'] as const;
const DEFAULT_SIZE = '40';

const CAPTIONS = {
  found: 'app.print.captions.found',
  title: 'app.print.captions.title',
  none: 'app.print.captions.none',
} as const satisfies Record<string, MessageKey>;

type CaptionName = keyof typeof CAPTIONS;

const FORMATS = ['png', 'svg', 'pdf'] as const;

/** Below the picture, and in the files. */
const WITH_NUMBER = 'yes';
const WITHOUT_NUMBER = 'no';

/** The image of a code: to see, to save, and on paper. */
export const printPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/:accountId/codes/:id/print',
    {
      config: { access: ONE_CODE_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: CodeParams,
        querystring: Type.Object({
          size: Type.Optional(Type.String()),
          caption: Type.Optional(Type.String()),
          number: Type.Optional(Type.String()),
          done: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const code = await getOwnQrCode(database.client, request.params);
      const { title, shortNumber } = code;
      const path = getCodePath(services, request.params);
      const size = SIZES_MILLIMETERS.find((one) => one === request.query.size) ?? DEFAULT_SIZE;
      const caption = parseCaption(request.query.caption);
      const number =
        shortNumber === null || request.query.number === WITHOUT_NUMBER ? WITHOUT_NUMBER : WITH_NUMBER;
      return sendOwnerPage(services, request, reply, {
        title,
        tabTitle: getCodeTabTitle(code, locale),
        entry: 'codes',
        body: html`${renderCodeTabs(path, 'print', { ...getCodeRights(request, code), locale })}${renderUnreadablePrint(request.query.done, title, locale)}
<div class="split"><figure class="label"><img class="mm-${size}" src="${path}/image/svg" width="320" height="320" alt="${t(locale, 'app.print.image', { title })}">${renderCaption(caption, title, locale)}${
          number === WITH_NUMBER &&
          shortNumber !== null &&
          html`<figcaption>${renderShortNumber(shortNumber.number)}<br><bdi dir="ltr">${formatStartPageAddress(services.publicBaseUrl)}</bdi></figcaption>`
        }</figure>
<div class="screen">${code.mode === 'DYNAMIC' && renderLocalNote(services, locale)}<p>${t(locale, 'app.print.text')}</p>
<form method="get" action="${path}/print">${renderSelect({
          name: 'size',
          label: t(locale, 'app.print.size'),
          value: size,
          script: 'submit-on-change',
          options: SIZES_MILLIMETERS.map((value) => ({
            value,
            label: formatMillimeters(Number(value), locale),
          })),
        })}${renderSelect({
          name: 'caption',
          label: t(locale, 'app.print.caption'),
          value: caption,
          script: 'submit-on-change',
          options: CAPTION_NAMES.map((value) => ({ value, label: t(locale, CAPTIONS[value]) })),
        })}${
          shortNumber !== null &&
          renderSelect({
            name: 'number',
            label: t(locale, 'app.code.shortNumber'),
            value: number,
            script: 'submit-on-change',
            options: [
              { value: WITH_NUMBER, label: t(locale, 'finder.yes') },
              { value: WITHOUT_NUMBER, label: t(locale, 'finder.no') },
            ],
          })
        }<button class="plain">${t(locale, 'app.print.apply')}</button></form>
<p><button data-script="print" hidden>${t(locale, 'app.code.print')}</button></p>
<p class="small">${t(locale, 'app.print.buttonHint')}</p>
${code.mode === 'DYNAMIC' && renderForm({ action: `${path}/phone`, token: getPermittedFormToken(services, request, reply), submit: t(locale, 'app.print.printed'), hidden: { printed: 'yes' } })}
<p><a href="${getAccountPath(services, request.params.accountId)}/print?ids=${request.params.id}">${t(locale, 'app.sheets.several')}</a></p>
<h2>${t(locale, 'app.print.download')}</h2>
<div class="actions">${FORMATS.map(
          (format) =>
            html`<a class="act plain" href="${formatListPath(`${path}/image/${format}`, { size: format === 'pdf' ? size : undefined, number: number === WITH_NUMBER ? number : undefined })}">${format.toUpperCase()}${format === 'pdf' && html` (${formatMillimeters(Number(size), locale)})`}</a>`,
        )}</div></div></div>`,
      });
    },
  );

  app.get(
    '/:accountId/codes/:id/image/:format',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('MEDICAL_DATA_READ'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: Type.Object({ accountId: Id, id: Id, format: stringEnum(FORMATS) }),
        querystring: Type.Object({
          size: Type.Optional(stringEnum(SIZES_MILLIMETERS)),
          number: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { format, ...owned } = request.params;
      const { size, number } = request.query;
      const image = await drawIfReadable(
        readOwnQrCodeImage(services, getRequestContext(request), owned, format, {
          sideMillimeters: size && Number(size),
          hasShortNumber: number === WITH_NUMBER,
        }),
      );
      if (image === null) {
        const done: UnreadablePrint = 'unreadable';
        const path = `${getCodePath(services, owned)}/print`;
        return reply.redirect(formatListPath(path, { size, number, done }), 303);
      }
      return sendQrCodeImage(reply.header('Cache-Control', 'no-store'), image, 'attachment');
    },
  );
};

const CAPTION_NAMES = Object.keys(CAPTIONS) as CaptionName[];

function parseCaption(name: string | undefined): CaptionName {
  return CAPTION_NAMES.find((one) => one === name) ?? 'found';
}

function renderCaption(caption: CaptionName, title: string, locale: Locale): Html | null {
  if (caption === 'none') return null;
  const text = caption === 'title' ? title : t(locale, CAPTIONS[caption]);
  return html`<figcaption dir="auto">${text}</figcaption>`;
}

/** Where finders type the number, as people write addresses. */
function formatStartPageAddress(publicBaseUrl: string): string {
  return publicBaseUrl.replace(/^https?:\/\//, '');
}

function formatMillimeters(size: number, { tag }: Locale): string {
  return new Intl.NumberFormat(tag, { style: 'unit', unit: 'millimeter' }).format(size);
}
