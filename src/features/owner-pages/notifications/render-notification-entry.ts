import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { Notification } from '../../notifications/index.ts';
import { renderForm } from '../components.ts';

/** @param place.path of the list; `openPath` leads to what each is about */
export function renderNotificationEntry(
  { id, title, body, isRead, createdAt }: Static<typeof Notification>,
  { path, openPath, token, timeZone }: { path: string; openPath: string; token: string; timeZone: string },
  locale: Locale,
): Html {
  const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return html`<li${!isRead && html` class="unread"`}><div><h2><a href="${openPath}/${id}">${title}</a>${!isRead && html` <span class="chip">${t(locale, 'app.notifications.new')}</span>`}</h2>
<p>${body}</p>
<p class="small"><time datetime="${createdAt}">${format.format(new Date(createdAt))}</time></p></div>${
    !isRead &&
    renderForm({
      action: `${path}/${id}/read`,
      token,
      submit: t(locale, 'app.notifications.markRead'),
      kind: 'plain',
    })
  }</li>
`;
}
