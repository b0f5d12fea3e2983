import { type Html, html } from '../../../shared/html.ts';
import { formatMessage, isKnownMessageKey } from '../../../shared/i18n/format-message.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { createMailUnsubscribeUrl } from '../../mail/index.ts';
import { findConfigurableMailKind } from '../../notifications/index.ts';
import { type FinderServices, getOwnerLinkPath } from '../finder-services.ts';
import type { OwnerLinkAccess } from './owner-link-access.ts';

export function renderActionForm(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  { notificationId }: OwnerLinkAccess,
  action: string,
  label: string,
  { tag }: Locale,
  isPlain = false,
): Html {
  const path = `${getOwnerLinkPath(services, notificationId)}/${action}`;
  return html`<form method="post" action="${path}?lang=${tag}"><button class="${isPlain ? 'wide plain' : 'wide'}">${label}</button></form>\n`;
}

/** Render how to stop mails of this kind, the way into the application, and how long the link works. */
export function renderLinkFooter(
  services: Pick<FinderServices, 'fieldCipher' | 'publicBaseUrl'> & { applicationUrl: string | null },
  access: OwnerLinkAccess,
  locale: Locale,
): Html {
  const { notificationId, event, data, owner, expiresAt } = access;
  const { applicationUrl } = services;
  const mailKind = findConfigurableMailKind(event, data);
  const date = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone: owner.timeZone });
  return html`${mailKind && renderUnsubscribeForm(services, { subjectId: owner.id, mailKind }, locale)}
${applicationUrl && html`<p><a href="${applicationUrl}/notifications/${notificationId}">${t(locale, 'ownerLink.openApplication')}</a></p>\n`}<p class="kind">${t(locale, 'ownerLink.validUntil', { date: date.format(expiresAt) })}</p>`;
}

function renderUnsubscribeForm(
  services: Pick<FinderServices, 'fieldCipher' | 'publicBaseUrl'>,
  subject: { subjectId: string; mailKind: string },
  locale: Locale,
): Html {
  const key = `mails.unsubscribe.kinds.${subject.mailKind}`;
  const kind = isKnownMessageKey(key) && formatMessage(locale, key);
  const { pathname } = new URL(createMailUnsubscribeUrl(services, subject));
  return html`<details><summary>${t(locale, 'mails.unsubscribe.title')}</summary><form method="post" action="${pathname}">
${kind && html`<p>${t(locale, 'mails.unsubscribe.kind', { kind })}</p>`}<input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="plain">${t(locale, 'mails.unsubscribe.button')}</button></form></details>`;
}
