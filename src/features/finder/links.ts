import { type Html, html } from '../../shared/html.ts';

/** Render a mailto link (RFC 6068). */
export function renderMailLink(address: string): Html {
  return html`<a href="mailto:${encodeURIComponent(address).replace('%40', '@')}">${address}</a>`;
}

/** Render a link to an http or https URL; anything else stays text. */
export function renderWebLink(address: string): Html {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return html`${address}`;
  return html`<a href="${new URL(address).href}" rel="noopener noreferrer nofollow">${address}</a>`;
}
