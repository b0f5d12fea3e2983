import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getQrCodeKind, toDialableNumber } from '../../codes/index.ts';
import { CODE_FILES, renderCodeFile } from '../code-file.ts';

type Profile = Readonly<Record<string, unknown>>;

export interface SubpageTarget {
  address: string;
  /** The signed token of a visit that entered the PIN; null for public content. */
  visit: string | null;
}

/** Longest link that all phones accept; longer prepared texts can be copied from the page. */
const MAX_LINK_CHARACTERS = 2_000;

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
    // iOS does not support geo: links.
    const map = `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`;
    buttons.push(
      html`<p><a class="act wide plain" rel="noopener noreferrer nofollow" href="${map}">${t(locale, 'finder.mapWeb')}</a></p>\n`,
    );
  }
  buttons.push(renderFileButton(kind, profile, file, locale));
  const visibleButtons = buttons.filter((each) => each !== null);
  return visibleButtons.length > 0 ? html`<section>${visibleButtons}</section>` : null;
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
  // iOS requires the ampersand; others read an empty parameter.
  const prepared = `${link}?&body=${encodeURIComponent(message)}`;
  return prepared.length > MAX_LINK_CHARACTERS ? link : prepared;
}

/** Render the link to the file; with a PIN as a form, because the visit token must not be in a URL. */
function renderFileButton(kind: string, profile: Profile, { address, visit }: SubpageTarget, locale: Locale) {
  const file = CODE_FILES.find((each) => each.kind === kind);
  if (!file || renderCodeFile(kind, profile, locale) === null) return null;
  const place = `${address}/${file.name}?lang=${locale.tag}`;
  const label = t(locale, `finder.${file.button}`);
  if (visit === null) return renderButton(place, label);
  return html`<form method="post" action="${place}"><input type="hidden" name="visit" value="${visit}"><button class="wide">${label}</button></form>`;
}
