import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { translateNotification } from '../../../shared/i18n/notification-text.ts';
import { t } from '../../../shared/i18n/translate.ts';

interface OwnerMail {
  event: 'code.taken_down' | 'code.reinstated' | 'code.appeal_rejected';
  code: string;
  category: string;
}

/** Render what a decision tells the owner of a code, in the language of whoever decides. */
export function renderOwnerMail({ event, code, category }: OwnerMail, locale: Locale): Html {
  const { title, body } = translateNotification(locale, { event, data: { code, category } });
  return html`<details><summary>${t(locale, 'app.staff.mail')}: ${title}</summary>
<blockquote><p class="text">${body}</p>
<p>${t(locale, 'mails.CODE_MODERATED.text')} …</p>
${event !== 'code.reinstated' && html`<p>${t(locale, 'mails.CODE_MODERATED.appeal')}</p>\n`}</blockquote></details>
`;
}
