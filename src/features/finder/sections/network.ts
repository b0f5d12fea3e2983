import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { matrixOf } from '../../qrcodes/image/matrix.ts';
import { strokePath } from '../../qrcodes/image/stroke-path.ts';
import { kindOf } from '../../qrcodes/qrcode.view.ts';
import { type FieldSchema, fieldValue } from '../field-value.ts';
import { translateField } from '../translate-field.ts';

type Profile = Readonly<Record<string, unknown>>;

/** Bytes of the longest text that is drawn: its symbol has less than 6 kB. Passwords that can be typed are shorter. */
const LONGEST_TEXT = 271;

/** Light modules around a symbol (ISO/IEC 18004). */
const QUIET = 4;

const FIELDS = ['ssid', 'password', 'security', 'hidden'];

/** A wireless network: name and password to copy, and a code that another phone joins it by; and which fields these are. */
export function networkSection(
  profile: Profile,
  withheld: readonly string[],
  locale: Locale,
): { section: Html | null; shown: string[] } {
  const context = { kind: 'WIFI', locale };
  const properties: Readonly<Record<string, FieldSchema>> = kindOf('WIFI').schema.properties;
  const shown = FIELDS.filter((field) => Object.hasOwn(profile, field));
  const facts = shown.map((field) => {
    const schema = properties[field] ?? {};
    const value = profile[field];
    const isCopied = field === 'ssid' || field === 'password';
    const markup = isCopied ? html`<code>${String(value)}</code>` : fieldValue(value, schema, context);
    return html`<dt>${translateField(context, field)}</dt><dd>${markup}</dd>\n`;
  });
  const section = html`<dl>\n${facts}</dl>\n${joinCode(profile, withheld, locale)}`;
  return { section: shown.length > 0 ? section : null, shown };
}

/** The code to join by; none where the finder does not see all that it would tell. */
function joinCode(profile: Profile, withheld: readonly string[], locale: Locale): Html | null {
  // Without a password that is only held back the network would seem to be open, without its security to be WPA.
  if (FIELDS.some((field) => withheld.includes(field))) return null;
  const text = kindOf('WIFI').toStaticContent(profile, '');
  if (text === null || Buffer.byteLength(text) > LONGEST_TEXT) return null;
  const matrix = matrixOf(text, 'L', false);
  const side = matrix.size + 2 * QUIET;
  return html`<section><p id="join">${t(locale, 'finder.wifiText')}</p>
<svg class="code" role="img" aria-labelledby="join" viewBox="${-QUIET} ${-QUIET} ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M${-QUIET} ${-QUIET}h${side}v${side}h-${side}z"/><path stroke="#000" d="${strokePath(matrix)}"/></svg></section>`;
}
