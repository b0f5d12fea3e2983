import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import type { CONVERSATION_REPORT_DECISIONS } from '../../administration/index.ts';
import { CONVERSATION_REPORT_CATEGORIES, type ReportWithConversation } from '../../conversations/index.ts';
import { renderMoment } from '../format-moment.ts';

const DECIDED_LABELS = {
  DISMISSED: 'app.staff.reports.dismissed',
  CONVERSATION_CLOSED: 'app.staff.conversations.closed',
  FINDER_BLOCKED: 'app.staff.conversations.blocked',
} as const satisfies Record<(typeof CONVERSATION_REPORT_DECISIONS)[number], MessageKey>;

export function translateConversationReportCategory(category: string, locale: Locale): string {
  const known = CONVERSATION_REPORT_CATEGORIES.find((one) => one === category) ?? 'OTHER';
  return t(locale, `conversation.reportCategories.${known}`);
}

/** Render who reported a conversation, for what and when, and what was decided. */
export function renderConversationReportFacts(
  { side, category, decision, createdAt, conversation }: ReportWithConversation,
  timeZone: string,
  locale: Locale,
): Html {
  const time = renderMoment(createdAt, { timeZone }, locale);
  const reported = translateHtml(
    locale,
    side === 'OWNER' ? 'app.staff.conversations.byOwner' : 'app.staff.conversations.byFinder',
    { time },
  );
  const decided = isKeyOf(DECIDED_LABELS, decision) && t(locale, DECIDED_LABELS[decision]);
  return html`<p class="small">${reported}</p>
<p><span class="chip">${translateConversationReportCategory(category, locale)}</span>${decided && html` <span class="chip">${decided}</span>`}${conversation.status !== 'OPEN' && html` <span class="chip">${t(locale, 'app.inbox.ended')}</span>`}</p>
`;
}
