import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { LOCALES } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { memoize } from '../../shared/memoize.ts';
import { renderQrCodeOpenGraphTags, renderSharedDocumentOpenGraphTags } from './open-graph-tags.ts';
import { PAGE_CSS } from './page-css.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_CSS).digest('base64')}'`,
  // Optional: the pages work without it.
  "script-src 'self'",
  // Pictures of a memory tag, and an empty icon that saves a request.
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const FORM_RESULT_HTML_ATTRIBUTES: Html = html` id="answer" tabindex="-1"`;

/** Replaced by the page's address in memoized markup; must not occur in a message or an address. */
const ADDRESS_PLACEHOLDER = '{{address}}';

/** A page stays below 20 kB for slow networks; the frame takes the rest. */
export const MAX_PAGE_SECTIONS_BYTES = 20_000 - 6_500;

export interface LocalizedHtmlPage {
  status: number;
  locale: Locale;
  /** Title of the tab; must not reveal private data. */
  title: string;
  body: Html;
  /** Address of the page for other languages; null where that would be another page. */
  address: string | null;
  isDocumentPage?: boolean;
}

export function sendLocalizedHtmlPage(reply: FastifyReply, page: LocalizedHtmlPage): FastifyReply {
  return sendPageMarkup(reply, page, renderLocalizedHtmlPage(page));
}

export function renderLocalizedHtmlPage(page: LocalizedHtmlPage): string {
  const { locale, title, body, address, isDocumentPage = false } = page;
  const document = html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><style>${{ markup: PAGE_CSS }}</style>
${isDocumentPage ? renderSharedDocumentOpenGraphTags(locale) : renderQrCodeOpenGraphTags(locale)}</head>
<body><main>
${body}
</main>${address !== null && renderLanguageLinks(address, locale)}</body></html>
`;
  return document.markup;
}

export function sendPageMarkup(
  reply: FastifyReply,
  { status, locale }: Pick<LocalizedHtmlPage, 'status' | 'locale'>,
  markup: string,
): FastifyReply {
  return reply
    .code(status)
    .header('Content-Language', locale.tag)
    .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    .header('X-Robots-Tag', 'noindex')
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(markup);
}

export function sendLocalizedMessagePage(
  reply: FastifyReply,
  { title, text, ...page }: Omit<LocalizedHtmlPage, 'body'> & { text: string },
): FastifyReply {
  return sendLocalizedHtmlPage(reply, {
    ...page,
    title,
    body: html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${title}</h1>\n<p>${text}</p></div>`,
  });
}

function renderLanguageLinks(address: string, locale: Locale): Html {
  return { markup: getLanguageLinkParts(locale).join(html`${address}`.markup) };
}

const getLanguageLinkParts = memoize((locale: Locale): readonly string[] => {
  const links = [...LOCALES.values()]
    .filter((other) => other.tag !== locale.tag)
    .map(
      (
        other,
      ) => html`<li><a href="${ADDRESS_PLACEHOLDER}?lang=${other.tag}" hreflang="${other.tag}" lang="${other.tag}" dir="${other.direction}">${other.name}</a></li>
`,
    );
  return html`
<nav aria-label="${t(locale, 'finder.languages')}"><ul>
${links}</ul></nav>`.markup.split(ADDRESS_PLACEHOLDER);
});
