import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';

const PAGE_STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
a{color:#0b57d0}code,pre{font-family:ui-monospace,monospace}pre{white-space:pre-wrap;background:#f3f3f3;padding:1rem;overflow-wrap:anywhere}
table{border-collapse:collapse}td,th{text-align:left;padding:.25rem .75rem .25rem 0;vertical-align:top;overflow-wrap:anywhere}
time{white-space:nowrap}@media(max-width:40rem){.stacked td{display:block;padding:0}.stacked tr{display:block;padding:.5rem 0;border-top:1px solid #8884}.stacked tr:first-child{display:none}}
label{display:block;margin:1rem 0 .25rem}input{font:inherit;padding:.5rem;width:100%;box-sizing:border-box}
button{font:inherit;padding:.5rem 1rem;margin-top:1rem}
@media screen and (prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#8ab4f8}pre{background:#262626}}`;

export function sendServicePage(
  reply: FastifyReply,
  page: { title: string; body: Html; script?: string },
): FastifyReply {
  const { title, body, script } = page;
  const policy = [
    "default-src 'none'",
    `style-src '${computeCspHash(PAGE_STYLE)}'`,
    ...(script ? [`script-src '${computeCspHash(script)}'`, "connect-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${{ markup: PAGE_STYLE }}</style></head>
<body><main>${body}</main>${script ? { markup: `<script>${script}</script>` } : null}</body></html>
`;
  return reply
    .header('Content-Security-Policy', policy)
    .type('text/html; charset=utf-8')
    .send(document.markup);
}

function computeCspHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
