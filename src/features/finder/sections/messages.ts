import type { Static } from 'typebox';
import { FORM_RESULT_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ConversationMessage, ConversationSide } from '../../conversations/index.ts';

/** Render messages, oldest first, as one side sees them. `isAnswer` marks the newest as the result of a form. */
export function renderMessagesSection(
  messages: readonly Static<typeof ConversationMessage>[],
  { reader, timeZone, isAnswer }: { reader: ConversationSide; timeZone: string; isAnswer: boolean },
  locale: Locale,
): Html {
  const { tag } = locale;
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const zone = timeZone === 'UTC' ? ' UTC' : '';
  const time = (iso: string) => html`<time datetime="${iso}">${format.format(new Date(iso))}${zone}</time>`;
  const other = reader === 'FINDER' ? t(locale, 'conversation.owner') : t(locale, 'conversation.finder');
  return html`<ol class="messages">${messages.map(({ from, message, sentAt, readAt }, index) => {
    const isOwn = from === reader;
    const state =
      isOwn &&
      (readAt
        ? t(locale, 'conversation.readAt', { time: format.format(new Date(readAt)) + zone })
        : t(locale, 'conversation.unread'));
    const isNewest = index === messages.length - 1;
    return html`<li class="${isOwn ? 'own' : 'other'}"${isAnswer && isNewest && FORM_RESULT_ATTRIBUTES}><p class="kind">${isOwn ? t(locale, 'conversation.you') : other}, ${time(sentAt)}${state && html` · ${state}`}</p>
<p class="text">${message}</p></li>
`;
  })}</ol>`;
}
