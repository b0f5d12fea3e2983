import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';

/** The way to a conversation that was written in, for whoever wrote, and how they hear of an answer. */
export function renderConversationLink(link: string, hasEmail: boolean, locale: Locale): Html {
  return html`
<p>${t(locale, 'conversation.sentText')}</p>${hasEmail && html`\n<p>${t(locale, 'conversation.sentMail')}</p>`}
${renderPrivateLink(link)}
<p><a class="act" href="${link}">${t(locale, 'conversation.openButton')}</a></p>`;
}

/** A private link as it is to be kept: to be read and copied. */
export function renderPrivateLink(link: string): Html {
  return html`<p dir="ltr"><a href="${link}">${link}</a></p>`;
}
