import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, selectListRange, toListPage } from '../../../platform/http/list-pages.ts';
import { tolerateIntegrityFailures } from '../../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { CONVERSATION_REPORT_DECISIONS, MAX_REPORT_MESSAGES } from '../../administration/index.ts';
import {
  findConversationReport,
  listMessages,
  MAX_CONVERSATION_REPORT_NOTE_CHARACTERS,
  type MessageView,
  REPORT_DECISION_NOTE,
  REPORT_NOTE,
  toThreadMessageView,
} from '../../conversations/index.ts';
import { renderChoices, renderField, renderForm } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import { getFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderConversationReportFacts } from './conversation-report-facts.ts';
import { renderDecided } from './decided.ts';
import { type RefusedDecision, renderRefusedDecision } from './decision-form.ts';
import { renderOwnerLink } from './reviewed-code.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';

const MESSAGES_PER_PAGE = 20;

const DECISION_LABELS = {
  DISMISSED: 'app.staff.conversations.dismiss',
  CONVERSATION_CLOSED: 'app.staff.conversations.close',
  FINDER_BLOCKED: 'app.staff.conversations.block',
} as const satisfies Record<(typeof CONVERSATION_REPORT_DECISIONS)[number], MessageKey>;

/** Send the page of a reported conversation: why it was reported, its messages, and the decision. @throws NOT_FOUND */
export async function sendConversationReportPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, cursor, refused }: { id: string; cursor?: string | undefined; refused?: RefusedDecision },
): Promise<FastifyReply> {
  const { database, fieldCipher } = services;
  const locale = chooseOwnerPageLocale(request);
  const { timeZone } = requireAuthenticatedUser(request);
  const row = await findConversationReport(database.client, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  const { routeOptions, params } = request;
  const query = { limit: MESSAGES_PER_PAGE, ...(cursor && { cursor }) };
  const page = parseListPage({ routeOptions, params, query }, NEWEST_FIRST);
  const audit = { action: 'CONVERSATION_REPORT_READ', resourceId: id } as const;
  const context = getRequestContext(request);
  await commitAuditEntry(database, context, audit);
  // Those that the API returns, in parts.
  const rows = await listMessages(database.client, row.conversation, null, MAX_REPORT_MESSAGES);
  const { data: messages, pagination } = await tolerateIntegrityFailures(
    database,
    context,
    (readTolerantly) =>
      toListPage(page, selectListRange(page, rows), (message) =>
        toThreadMessageView(fieldCipher, message, locale, readTolerantly),
      ),
  );
  const note = REPORT_NOTE.decrypt(fieldCipher, row);
  const decisionNote = REPORT_DECISION_NOTE.decrypt(fieldCipher, row);
  // The finder who reported is not blocked for it.
  const decisions = CONVERSATION_REPORT_DECISIONS.filter(
    (decision) => decision !== 'FINDER_BLOCKED' || row.side === 'OWNER',
  );
  const listPath = getStaffEntryPath(services, 'conversation-reports');
  const path = `${listPath}/${id}`;
  const older = pagination.nextCursor;
  return sendStaffPage(services, request, reply, {
    title: t(locale, 'app.staff.conversations.one'),
    entry: 'conversation-reports',
    status: refused?.status ?? 200,
    body: html`<p><a href="${listPath}">${t(locale, 'app.staff.conversations.title')}</a> · ${renderOwnerLink(services, row.conversation, locale)}</p>
${renderRefusedDecision(refused, locale) ?? renderDecided(listPath, request, locale)}
${renderConversationReportFacts(row, timeZone, locale)}${note !== null && html`<blockquote class="text">${note}</blockquote>`}
${row.decision === null && html`<p class="actions"><a class="act plain" href="#decide">${t(locale, 'app.staff.decide')}</a></p>`}
<h2>${t(locale, 'app.staff.conversations.messages')}</h2>
${older !== null && html`<p><a href="${formatListPath(path, { cursor: older })}">${t(locale, 'conversation.older')}</a></p>`}
<ol class="messages">${messages.toReversed().map(renderMessage)}</ol>
${cursor !== undefined && html`<p><a href="${path}">${t(locale, 'app.inbox.newest')}</a></p>`}
${
  row.decision === null
    ? html`<h2 id="decide">${t(locale, 'app.staff.decide')}</h2>${renderDecisionForm()}`
    : decisionNote !== null &&
      html`<h2>${t(locale, 'app.staff.conversations.note')}</h2><blockquote class="text">${decisionNote}</blockquote>`
}`,
  });

  function renderMessage({ from, message: text, sentAt }: MessageView): Html {
    const isOwner = from === 'OWNER';
    return html`<li class="${isOwner ? 'own' : 'other'}"><p class="kind small">${t(locale, isOwner ? 'conversation.owner' : 'conversation.finder')} · ${renderMoment(new Date(sentAt), { timeZone }, locale)}</p>
<p class="text">${text ?? t(locale, 'conversation.unreadable')}</p></li>`;
  }

  function renderDecisionForm(): Html {
    const { errors = [], values = {} } = refused ?? {};
    return html`<p>${t(locale, 'app.staff.conversations.told')}</p>
${renderForm({
  action: `${path}/decision`,
  token: getFormToken(services, request, reply),
  submit: t(locale, 'app.staff.decideButton'),
  fields: [
    renderChoices(
      {
        name: 'decision',
        legend: t(locale, 'app.staff.decision'),
        value: values.decision,
        options: decisions.map((value) => ({ value, label: t(locale, DECISION_LABELS[value]) })),
      },
      errors,
      locale,
    ),
    renderField(
      {
        name: 'note',
        label: t(locale, 'app.staff.conversations.note'),
        hint: t(locale, 'app.staff.conversations.noteHint'),
        value: values.note,
        isMultiline: true,
        maxLength: MAX_CONVERSATION_REPORT_NOTE_CHARACTERS,
      },
      errors,
      locale,
    ),
  ],
})}`;
  }
}
