import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { LOCALES } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { memoize } from '../../shared/memoize.ts';
import { renderDocumentOpenGraphTags, renderOpenGraphTags } from './open-graph-tags.ts';
import { PAGE_CSS } from './page-css.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_CSS).digest('base64')}'`,
  // One small file, which the pages do without as well.
  "script-src 'self'",
  // Pictures of a memory tag; and the empty icon of the page, so that a browser does not ask for one.
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The attributes of what a form is answered by; the fragment of its address, and so the keyboard's focus, leads there. */
export const FORM_RESULT_ATTRIBUTES: Html = html` id="answer" tabindex="-1"`;

/** Where the address of a page comes into markup that is made once: in no sentence and no address. */
const ADDRESS_PLACEHOLDER = '{{address}}';

/** A page has less than 20 kB, for slow networks; the frame around the sections takes the rest. */
export const MAX_SECTIONS_BYTES = 20_000 - 6_500;

export interface HtmlPage {
  status: number;
  locale: Locale;
  /** The title of the tab: nothing that is only the owner's to tell. */
  title: string;
  body: Html;
  /** Where the same is found in another language; null where that would be another page. */
  address: string | null;
  /** Whether it is about a link to a document, and not about a code. */
  isDocumentPage?: boolean;
}

/** Sends a page: one request, no script, nothing from elsewhere, in no search engine, not kept. */
export function sendHtmlPage(reply: FastifyReply, page: HtmlPage): FastifyReply {
  const { status, locale, title, body, address, isDocumentPage = false } = page;
  const document = html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><style>${{ markup: PAGE_CSS }}</style>
${isDocumentPage ? renderDocumentOpenGraphTags(locale) : renderOpenGraphTags(locale)}</head>
<body><main>
${body}
</main>${address !== null && renderLanguageLinks(address, locale)}</body></html>
`;
  return reply
    .code(status)
    .header('Content-Language', locale.tag)
    .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    .header('X-Robots-Tag', 'noindex')
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(document.markup);
}

/** Sends a page that only says something; a browser that sent a form goes on there. */
export function sendMessagePage(
  reply: FastifyReply,
  { title, text, ...page }: Omit<HtmlPage, 'body'> & { text: string },
): FastifyReply {
  return sendHtmlPage(reply, {
    ...page,
    title,
    body: html`<div${FORM_RESULT_ATTRIBUTES}><h1>${title}</h1>\n<p>${text}</p></div>`,
  });
}

/** Links to a page in every other language, each in its own words. */
function renderLanguageLinks(address: string, locale: Locale): Html {
  return { markup: getLanguageLinkParts(locale).join(html`${address}`.markup) };
}

/** The markup of these links, in the parts that the address of the page comes between. */
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
