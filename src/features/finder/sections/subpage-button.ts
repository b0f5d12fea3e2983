import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import type { SubpageTarget } from './actions.ts';

/** Render a link to another page of a code; with a PIN as a form, because the visit token must not be in a URL. */
export function renderSubpageButton(
  { address, visit }: SubpageTarget,
  path: '' | '/story' | '/entries',
  label: string,
  { tag }: Locale,
  parameters: Readonly<Record<string, string>> = {},
): Html {
  const place = `${address}${path}?lang=${tag}`;
  const entries = Object.entries(parameters);
  if (visit === null) {
    const query = entries.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('');
    return html`<p><a class="act plain" href="${place}${query}">${label}</a></p>\n`;
  }
  const fields = entries.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<form method="post" action="${place}"><input type="hidden" name="visit" value="${visit}">${fields}<button class="plain">${label}</button></form>\n`;
}
