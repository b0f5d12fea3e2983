import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { sendLocalizedHtmlPage } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  findQrCodeDataErrors,
  getOwnerPreviewUrl,
  getQrCodeKindByName,
  parseFieldVisibilities,
  type QrCode,
  resolveFieldVisibilities,
} from '../../codes/index.ts';
import { createUnsavedPage, type UnsavedQrCode } from '../../finder/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { describeVisibleFields } from './content-form.ts';
import { type FormData, type FormValues, parseFormValues } from './form-fields.rules.ts';

/** Name of the frame that shows the page of a code. */
const FRAME = 'preview';

/** Render the finder's page of a code beside its content. Scripts and forms do nothing in it; its pictures are for pages of this origin. */
export function renderPreview(
  services: Pick<OwnerPageServices, 'fieldCipher' | 'publicBaseUrl'>,
  code: Static<typeof QrCode>,
  locale: Locale,
): Html {
  const url = new URL(getOwnerPreviewUrl(services, code.id, locale.tag));
  // Of the same origin, whatever name the browser has for it.
  const address = `${url.pathname}${url.search}`;
  return html`<section aria-labelledby="preview"><h2 id="preview">${t(locale, 'app.content.preview')}</h2>
${renderFrame()}</section>`;

  function renderFrame(): Html {
    if (!isPageOpen(code)) return html`<p>${t(locale, 'app.content.previewNone')}</p>`;
    if (code.kind === 'URL' && !code.showsPage) return html`<p>${t(locale, 'app.content.previewLink')}</p>`;
    return html`<p>${t(locale, 'app.content.previewText')} <a href="${address}">${t(locale, 'app.content.previewOpen')}</a></p>
${renderPreviewFrame(locale, address)}`;
  }
}

/** Render the frame of a code that is not saved. @param address of what it shows first */
export function renderPreviewSection(text: string, address: string, locale: Locale): Html {
  return html`<section aria-labelledby="preview"><h2 id="preview">${t(locale, 'app.content.preview')}</h2>
<p>${text}</p>
${renderPreviewFrame(locale, address)}</section>`;
}

/** Whether finders see the content of a code at all. */
export function isPageOpen({
  status,
  takenDownAt,
}: Pick<Static<typeof QrCode>, 'status' | 'takenDownAt'>): boolean {
  return (status === 'ACTIVE' || status === 'LOST') && takenDownAt === null;
}

function renderPreviewFrame(locale: Locale, address: string): Html {
  return html`<iframe class="preview" name="${FRAME}" src="${address}" title="${t(locale, 'app.content.preview')}" loading="lazy" sandbox="allow-same-origin"></iframe>`;
}

/** Render the button of a form that shows its values in the frame. A script presses it while somebody types. */
export function renderPreviewButton(locale: Locale, action: string): Html {
  return html`<button class="plain" formaction="${action}" formtarget="${FRAME}" formnovalidate data-script="preview">${t(locale, 'app.content.previewButton')}</button>`;
}

type Preview = Pick<UnsavedQrCode, 'code' | 'picturesAddress'> & {
  values: FormValues;
  timeZone: string;
  /** Say above the page how much a stranger sees. */
  countsFields?: boolean;
};

/** Send the page of a code with the values of its form. What is not valid yet is left out. */
export async function sendPreview(
  services: OwnerPageServices,
  reply: FastifyReply,
  { code, values, timeZone, picturesAddress, countsFields = false }: Preview,
  locale: Locale,
): Promise<FastifyReply> {
  const kind = getQrCodeKindByName(code.kind);
  const data = parseFormValues(kind.schema, values, timeZone);
  const fields = Object.keys(kind.defaultVisibility);
  const chosen = fields.map((field) => [field, values[`visibility.${field}`]] as const);
  const visibility = {
    ...parseFieldVisibilities(code.visibility),
    ...parseFieldVisibilities(Object.fromEntries(chosen)),
  };
  const unsaved = {
    code,
    data: omitWrongFields(services, code.kind, data),
    visibility: resolveFieldVisibilities(kind, visibility, code.pinHash !== null),
    ...(picturesAddress !== undefined && { picturesAddress }),
  };
  const page = await createUnsavedPage(services, unsaved, locale);
  if (!countsFields) return sendLocalizedHtmlPage(reply, page);
  // The script moves it to the page around the frame.
  const count = html`<p id="visible">${describeVisibleFields({ data, visibility: unsaved.visibility }, locale)}</p>\n`;
  return sendLocalizedHtmlPage(reply, { ...page, body: html`${count}${page.body}` });
}

function omitWrongFields(services: OwnerPageServices, kind: string, data: FormData): FormData {
  const errors = findQrCodeDataErrors(services, getQrCodeKindByName(kind), data);
  const isWrong = (name: string) =>
    errors.some(
      ({ field }) =>
        field === `data.${name}` || field.startsWith(`data.${name}.`) || field.startsWith(`data.${name}[`),
    );
  return Object.fromEntries(Object.entries(data).filter(([name]) => !isWrong(name)));
}
