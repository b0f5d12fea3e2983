import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getQrCodeKindByName } from '../../codes/index.ts';
import { createMapLinks } from '../contact-links.rules.ts';
import { type ProfileFieldSchema, renderProfileFieldValue } from '../field-value.ts';
import { formatCoordinates } from '../shared-position.ts';
import { renderCopyAttributes } from './contact.ts';
import { renderIcon } from './icons.ts';

/** Render address, coordinates and maps of a place, with the names of the fields that they show; null without a position. */
export function renderLocationSection(
  { latitude, longitude, address }: Readonly<Record<string, unknown>>,
  copyScript: string,
  locale: Locale,
): { section: Html; fields: string[] } | null {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  const position = { latitude, longitude };
  const { apple, geo, google, openStreetMap } = createMapLinks(position);
  const properties: Readonly<Record<string, ProfileFieldSchema>> =
    getQrCodeKindByName('LOCATION').schema.properties;
  const street =
    address !== undefined &&
    html`${renderProfileFieldValue(address, properties.address ?? {}, { kind: 'LOCATION', locale })}\n`;
  const rel = 'noopener noreferrer nofollow';
  // A web page first, since iPhones do not know geo:.
  const section = html`<section>${street}<p><code dir="ltr"${renderCopyAttributes(t(locale, 'finder.copyCoordinates'), locale)}>${formatCoordinates(position)}</code></p>
<div class="screen"><p><a class="act wide" rel="${rel}" href="${openStreetMap}">${renderIcon('pin')}${t(locale, 'finder.mapLink')}</a></p>
<p><a href="${geo}">${t(locale, 'ownerLink.openMap')}</a> · <a rel="${rel}" href="${google}">Google Maps</a> · <a rel="${rel}" href="${apple}">Apple Maps</a></p></div><script src="${copyScript}" defer></script></section>`;
  return { section, fields: ['latitude', 'longitude', ...(address === undefined ? [] : ['address'])] };
}
