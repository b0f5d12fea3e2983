import { type Html, html } from '../../shared/html.ts';

/** The address to write a mail to (RFC 6068). */
export function renderMailLink(address: string): Html {
  return html`<a href="mailto:${encodeURIComponent(address).replace('%40', '@')}">${address}</a>`;
}

/** A link to a page elsewhere. http and https alone: whatever else is stored stays text. */
export function renderWebLink(address: string): Html {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return html`${address}`;
  return html`<a href="${new URL(address).href}" rel="noopener noreferrer nofollow">${address}</a>`;
}
