import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { OngoingConversation } from '../conversation-access.ts';

export function renderOngoingConversation({ address, hasAnswer }: OngoingConversation, locale: Locale): Html {
  return html`<section><p>${t(locale, 'conversation.alreadyWritten')}${hasAnswer && html` <b>${t(locale, 'conversation.unreadAnswer')}</b>`}</p>
<p><a class="act" href="${address}?lang=${locale.tag}">${t(locale, 'conversation.openButton')}</a></p></section>
`;
}
