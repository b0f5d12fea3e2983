import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';

export function renderConversationLink(link: string, hasEmail: boolean, locale: Locale): Html {
  return html`
<p>${t(locale, 'conversation.sentText')}</p>${hasEmail && html`\n<p>${t(locale, 'conversation.sentMail')}</p>`}
${renderPrivateLink(link)}
<p><a class="act" href="${link}">${t(locale, 'conversation.openButton')}</a></p>`;
}

export function renderPrivateLink(link: string): Html {
  return html`<p dir="ltr"><a href="${link}">${link}</a></p>`;
}
