import type { CurrentUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { OwnerPhoneRow } from '../../codes/index.ts';
import { renderForm } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

export interface OwnPhonesSection {
  locale: Locale;
  /** Of the tab. */
  path: string;
  /** Of its forms. */
  token: string;
  user: CurrentUser;
  phones: readonly OwnerPhoneRow[];
}

/** Render the phones whose scans notify nobody, each with a button to remove it. */
export function renderOwnPhones(section: OwnPhonesSection): Html {
  const { locale, phones } = section;
  const none = t(locale, 'app.settings.ownPhones.none', { link: t(locale, 'app.phone.title') });
  const content =
    phones.length === 0
      ? html`<p>${none}</p>`
      : html`<p>${t(locale, 'app.settings.ownPhones.text')}</p><ul class="cards">${phones.map((phone) => renderPhone(section, phone))}</ul>`;
  return html`<section><h2>${t(locale, 'app.settings.ownPhones')}</h2>${content}</section>`;
}

function renderPhone(
  { locale, path, token, user }: OwnPhonesSection,
  { id, name, createdAt, lastScannedOn }: OwnerPhoneRow,
): Html {
  const marked = translateHtml(locale, 'app.settings.ownPhones.since', {
    date: renderMoment(createdAt, user, locale),
  });
  const scanned = lastScannedOn
    ? translateHtml(locale, 'app.settings.ownPhones.lastSeen', { date: renderDay(lastScannedOn, locale) })
    : t(locale, 'app.settings.ownPhones.notScanned');
  return html`<li><div><h3><bdi>${name === '–' ? t(locale, 'app.settings.ownPhones.unknown') : name}</bdi></h3>
<p class="small">${marked}<br>${scanned}</p>${renderForm({
    action: `${path}/own-phones/${id}/remove`,
    token,
    submit: t(locale, 'app.settings.devices.remove'),
    kind: 'plain',
  })}</div></li>`;
}

/** A day in UTC, as it is stored. */
function renderDay(day: Date, { tag }: Locale): Html {
  const text = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
  return html`<time datetime="${day.toISOString().slice(0, 10)}">${text}</time>`;
}
