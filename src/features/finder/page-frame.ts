import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { LOCALES } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { card, documentCard } from './card.ts';
import { onceEach } from './once-each.ts';
import { STYLE } from './style.ts';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  // One small file, which the pages do without as well.
  "script-src 'self'",
  // Pictures of a memory tag; and the empty icon of the page, so that a browser does not ask for one.
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The attributes of what a form is answered by; the fragment of its address, and so the keyboard's focus, leads there. */
export const ANSWER: Html = html` id="answer" tabindex="-1"`;

/** Where the address of a page comes into markup that is made once: in no sentence and no address. */
const PLACE = '{{address}}';

/** A page has less than 20 kB, for slow networks; the frame around the sections takes the rest. */
export const SECTIONS_BYTES = 20_000 - 6_500;

export interface Page {
  status: number;
  locale: Locale;
  /** The title of the tab: nothing that is only the owner's to tell. */
  title: string;
  body: Html;
  /** Where the same is found in another language; null where that would be another page. */
  address: string | null;
  /** Whether it is about a link to a document, and not about a code. */
  isOfDocument?: boolean;
}

/** Sends a page: one request, no script, nothing from elsewhere, in no search engine, not kept. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { status, locale, title, body, address, isOfDocument = false } = page;
  const document = html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><style>${{ markup: STYLE }}</style>
${isOfDocument ? documentCard(locale) : card(locale)}</head>
<body><main>
${body}
</main>${address !== null && languageLinks(address, locale)}</body></html>
`;
  return reply
    .code(status)
    .header('Content-Language', locale.tag)
    .header('Content-Security-Policy', POLICY)
    .header('X-Robots-Tag', 'noindex')
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(document.markup);
}

/** Sends a page that only says something; a browser that sent a form goes on there. */
export function sendMessage(
  reply: FastifyReply,
  { title, text, ...page }: Omit<Page, 'body'> & { text: string },
): FastifyReply {
  return sendPage(reply, {
    ...page,
    title,
    body: html`<div${ANSWER}><h1>${title}</h1>\n<p>${text}</p></div>`,
  });
}

/** Links to a page in every other language, each in its own words. */
function languageLinks(address: string, locale: Locale): Html {
  return { markup: otherLanguages(locale).join(html`${address}`.markup) };
}

/** The markup of these links, in the parts that the address of the page comes between. */
const otherLanguages = onceEach((locale: Locale): readonly string[] => {
  const links = [...LOCALES.values()]
    .filter((other) => other.tag !== locale.tag)
    .map(
      (
        other,
      ) => html`<li><a href="${PLACE}?lang=${other.tag}" hreflang="${other.tag}" lang="${other.tag}" dir="${other.direction}">${other.name}</a></li>
`,
    );
  return html`
<nav aria-label="${t(locale, 'finder.languages')}"><ul>
${links}</ul></nav>`.markup.split(PLACE);
});
