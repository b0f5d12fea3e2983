import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Html, html } from './html.ts';

const PAGE_CSS = `body{font:1rem/1.5 system-ui,sans-serif;max-width:56rem;margin:0 auto 3rem;padding:0 1rem;color:#1a1a1a;background:#fff}
a{color:#0b57d0}.sandbox{background:#7a3e00;padding:.6rem 1rem;margin:0 -1rem 1.5rem;font-weight:600}.sandbox,.sandbox a{color:#fff}body{overflow-wrap:break-word}td:first-child{overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .75rem .3rem 0;vertical-align:top;border-bottom:1px solid #8884}
button,select,input{font:inherit;max-width:100%;box-sizing:border-box;padding:.4rem .8rem;margin:.25rem .25rem .25rem 0}form{margin:.25rem 0}
.result{border-left:4px solid #b3261e;padding:.25rem .75rem}.amount{font-size:2rem;font-weight:600;margin:.5rem 0}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}main a{color:#8ab4f8}}`;

/** Send a page without scripts. @param page `allowsExternalRedirect`: its forms redirect to the service */
export function sendPage(
  response: ServerResponse,
  page: { title: string; body: Html; status?: number; allowsExternalRedirect?: boolean },
): void {
  const { title, body, status = 200, allowsExternalRedirect } = page;
  const style = createHash('sha256').update(PAGE_CSS).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${style}'`,
    // Browsers also check redirects of a form.
    `form-action 'self'${allowsExternalRedirect ? ' http: https:' : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title} – payment sandbox</title><style>${{ markup: PAGE_CSS }}</style></head>
<body><header class="sandbox">Sandbox, no money moves. This page of your own machine emulates Stripe.
<a href="/">All that is in the sandbox</a></header>
<main><h1>${title}</h1>
${body}</main></body></html>
`;
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    // With no-referrer a browser omits the Origin of a form.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(document.markup);
}

export function renderButton(path: string, label: string, fields: Record<string, string>): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${path}">${hidden}<button>${label}</button></form>`;
}

export function redirect(response: ServerResponse, address: string): void {
  response.writeHead(303, { Location: address, 'Cache-Control': 'no-store' });
  response.end();
}
