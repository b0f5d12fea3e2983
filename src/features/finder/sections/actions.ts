import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getQrCodeKind, toDialableNumber } from '../../codes/index.ts';
import { CODE_FILES, renderCodeFile } from '../code-file.ts';

type Profile = Readonly<Record<string, unknown>>;

/** Where a code can be had as a file. */
export interface SubpageTarget {
  /** The address of the code's page. */
  address: string;
  /** The signed token of a visit in which the PIN was given; null where everybody gets the same. */
  visit: string | null;
}

/** Characters of a link that every phone takes; what a longer one would prepare is on the page to be copied. */
const MAX_LINK_CHARACTERS = 2_000;

/** What people do with a code of such a kind, as buttons: write, look at the map, keep it. Null where that is nothing. */
export function renderActionsSection(
  kind: string,
  profile: Profile,
  file: SubpageTarget,
  locale: Locale,
): Html | null {
  const { latitude, longitude } = profile;
  const buttons: (Html | null)[] = [];
  if (kind === 'EMAIL' || kind === 'VCARD')
    buttons.push(renderButton(createMailLink(profile), t(locale, 'finder.writeMail')));
  if (kind === 'SMS') buttons.push(renderButton(createSmsLink(profile), t(locale, 'finder.writeSms')));
  if (kind === 'LOCATION' && typeof latitude === 'number' && typeof longitude === 'number') {
    const [north, east] = [latitude.toFixed(6), longitude.toFixed(6)];
    buttons.push(renderButton(`geo:${north},${east}`, t(locale, 'finder.mapLink')));
    // Phones of Apple do not know the address of a place.
    const map = `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`;
    buttons.push(
      html`<p><a class="act wide plain" rel="noopener noreferrer nofollow" href="${map}">${t(locale, 'finder.mapWeb')}</a></p>\n`,
    );
  }
  buttons.push(renderFileButton(kind, profile, file, locale));
  const shown = buttons.filter((each) => each !== null);
  return shown.length > 0 ? html`<section>${shown}</section>` : null;
}

function renderButton(href: string | null, label: string): Html | null {
  return href === null ? null : html`<p><a class="act wide" href="${href}">${label}</a></p>\n`;
}

function createMailLink({ email, subject, body }: Profile): string | null {
  const mail = getQrCodeKind('EMAIL');
  const prepared = mail.toStaticContent({ email, subject, body }, '');
  return prepared && prepared.length > MAX_LINK_CHARACTERS ? mail.toStaticContent({ email }, '') : prepared;
}

function createSmsLink({ phone, message }: Profile): string | null {
  if (typeof phone !== 'string') return null;
  const link = `sms:${toDialableNumber(phone)}`;
  if (typeof message !== 'string') return link;
  // Phones of Apple read only what begins with an ampersand; others take it for an empty part.
  const prepared = `${link}?&body=${encodeURIComponent(message)}`;
  return prepared.length > MAX_LINK_CHARACTERS ? link : prepared;
}

/** A link to the file; what is behind a PIN takes the token of the visit, which must not be in an address. */
function renderFileButton(kind: string, profile: Profile, { address, visit }: SubpageTarget, locale: Locale) {
  const file = CODE_FILES.find((each) => each.kind === kind);
  if (!file || renderCodeFile(kind, profile, locale) === null) return null;
  const place = `${address}/${file.name}?lang=${locale.tag}`;
  const label = t(locale, `finder.${file.button}`);
  if (visit === null) return renderButton(place, label);
  return html`<form method="post" action="${place}"><input type="hidden" name="visit" value="${visit}"><button class="wide">${label}</button></form>`;
}
