import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import type { SubpageTarget } from './actions.ts';

/**
 * A button that leads on to another page of a code, or back to it; what is behind a PIN takes the token of the visit, which
 * must not be in an address. `more` is what else the page is told.
 */
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
