import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import { ENGLISH } from './language.ts';
import { STYLE } from './style.ts';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  // The empty icon of the page, so that a browser does not ask for one.
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Page {
  status: number;
  /** The title of the tab and of link previews: nothing that is only the owner's to tell. */
  title: string;
  body: Html;
}

/** Sends a page: one request, no script, nothing from elsewhere, in no search engine, not kept. */
export function sendPage(reply: FastifyReply, { status, title, body }: Page): FastifyReply {
  const document = html`<!doctype html>
<html lang="${ENGLISH.tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><style>${{ markup: STYLE }}</style></head>
<body><main>
${body}
</main></body></html>
`;
  return reply
    .code(status)
    .header('Content-Security-Policy', POLICY)
    .header('X-Robots-Tag', 'noindex')
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(document.markup);
}

/** Sends a page that only says something. */
export function sendMessage(
  reply: FastifyReply,
  message: { status: number; title: string; text: string },
): FastifyReply {
  const { status, title, text } = message;
  return sendPage(reply, { status, title, body: html`<h1>${title}</h1>\n<p>${text}</p>` });
}
