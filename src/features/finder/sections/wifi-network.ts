import { createSymbolMatrix } from '../../../platform/qr-image/matrix.ts';
import { createStrokePath } from '../../../platform/qr-image/stroke-path.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getQrCodeKind } from '../../codes/index.ts';
import { type FieldSchema, renderFieldValue } from '../field-value.ts';
import { translateField } from '../translate-field.ts';

type Profile = Readonly<Record<string, unknown>>;

/** Limits the symbol to 6 kB. Passwords that can be typed are shorter. */
const MAX_QR_TEXT_BYTES = 271;

/** Light modules around a symbol (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4;

const WIFI_FIELDS = ['ssid', 'password', 'security', 'hidden'];

/** Render name and password of a network and a QR code to join it; `fields` lists the fields shown. */
export function renderWifiNetworkSection(
  profile: Profile,
  hiddenFields: readonly string[],
  locale: Locale,
): { section: Html | null; fields: string[] } {
  const context = { kind: 'WIFI', locale };
  const properties: Readonly<Record<string, FieldSchema>> = getQrCodeKind('WIFI').schema.properties;
  const fields = WIFI_FIELDS.filter((field) => Object.hasOwn(profile, field));
  const facts = fields.map((field) => {
    const schema = properties[field] ?? {};
    const value = profile[field];
    const isCopied = field === 'ssid' || field === 'password';
    const markup = isCopied ? html`<code>${String(value)}</code>` : renderFieldValue(value, schema, context);
    return html`<dt>${translateField(context, field)}</dt><dd>${markup}</dd>\n`;
  });
  const section = html`<dl>\n${facts}</dl>\n${renderWifiQrCode(profile, hiddenFields, locale)}`;
  return { section: fields.length > 0 ? section : null, fields };
}

function renderWifiQrCode(profile: Profile, hiddenFields: readonly string[], locale: Locale): Html | null {
  // Without a hidden password the network would seem open, without its security type WPA.
  if (WIFI_FIELDS.some((field) => hiddenFields.includes(field))) return null;
  const text = getQrCodeKind('WIFI').toStaticContent(profile, '');
  if (text === null || Buffer.byteLength(text) > MAX_QR_TEXT_BYTES) return null;
  const matrix = createSymbolMatrix(text, 'L', false);
  const side = matrix.size + 2 * QUIET_ZONE_MODULES;
  return html`<section><p id="join">${t(locale, 'finder.wifiText')}</p>
<svg class="code" role="img" aria-labelledby="join" viewBox="${-QUIET_ZONE_MODULES} ${-QUIET_ZONE_MODULES} ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M${-QUIET_ZONE_MODULES} ${-QUIET_ZONE_MODULES}h${side}v${side}h-${side}z"/><path stroke="#000" d="${createStrokePath(matrix)}"/></svg></section>`;
}
