import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { tolerateIntegrityFailures } from '../../../platform/report-integrity-failures.ts';
import { getRequestContext, type RequestContext } from '../../../platform/request-context.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { NEWEST_FIRST, toTimePosition } from '../../../shared/list-cursor.ts';
import { canResumeLostReport, findOwnQrCode } from '../../codes/index.ts';
import {
  CONVERSATION_REPORT_CATEGORIES,
  type ConversationNote,
  type ConversationRow,
  type ConversationSchema,
  createOwnerConversationViewer,
  findConversationState,
  getOwnerMessagePresetsForCodeKind,
  listAssignees,
  listMessagesForSide,
  listNotes,
  MAX_CONVERSATION_REPORT_NOTE_CHARACTERS,
  MAX_MESSAGE_CHARACTERS,
  markConversationRead,
  toNoteView,
  toThreadMessageView,
} from '../../conversations/index.ts';
import { isBotOrPreviewRequest, type OwnScan, readOwnScan, toScanVisitor } from '../../scans/index.ts';
import { getCodeTabTitle } from '../codes/code-parts.ts';
import { renderConfirmation, renderField, renderForm, renderNote, renderSelect } from '../components.ts';
import { type FormToken, getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { renderNewNote, renderNoteEntry } from './render-notes.ts';
import { renderThread } from './render-thread.ts';
import type { ReplyRejection } from './send-reply.ts';
import { recountUnreadConversations } from './unread-conversations.ts';

const MESSAGES_PER_PAGE = 20;

/** Beyond it the API lists them. */
const MAX_SHOWN_NOTES = 20;

/** Beyond it the API assigns. */
const MAX_OFFERED_ASSIGNEES = 200;

const DONE_MESSAGES = {
  found: 'ownerLink.markedAsFound',
  'still-lost': 'app.inbox.stillLost',
  reopen: 'app.inbox.done.reopened',
  'not-done': 'app.inbox.done.open',
  assign: 'app.content.done.saved',
  note: 'app.content.done.saved',
  'note-deleted': 'app.inbox.notes.deleted',
  block: 'app.inbox.blocked',
  unblock: 'app.inbox.unblocked',
  report: 'conversation.reported',
} as const satisfies Record<string, MessageKey>;

export function getInboxPath(services: OwnerPageServices, accountId: string): string {
  return `${getAccountPath(services, accountId)}/inbox`;
}

interface ConversationPageState {
  cursor?: string | undefined;
  done?: string | undefined;
  rejection?: ReplyRejection;
}

/** Send the page of a conversation, and mark its messages as read unless nobody is looking. */
export async function sendConversationPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  row: ConversationRow,
  { cursor, done = '', rejection }: ConversationPageState,
): Promise<FastifyReply> {
  const { database, fieldCipher } = services;
  const { client } = database;
  const user = requireAuthenticatedUser(request);
  const { timeZone } = user;
  const account = requireAccount(request);
  const { id: accountId } = account;
  const locale = chooseOwnerPageLocale(request);
  const path = `${getInboxPath(services, accountId)}/${row.id}`;
  const token = getPermittedFormToken(services, request, reply);
  // Before the messages are read, so that the script does not miss one.
  const state = await findConversationState(client, row, 'OWNER');
  const context = getRequestContext(request);
  const canAnswer = token !== null;
  if (canAnswer && !isBotOrPreviewRequest(toScanVisitor(context))) {
    await markConversationRead(database, context, { conversation: row, reader: 'OWNER' });
    await recountUnreadConversations(services, request);
  }
  // Without what else is in the address, which would make another list of it.
  const { routeOptions, params } = request;
  const query = { limit: MESSAGES_PER_PAGE, ...(cursor && { cursor }) };
  const page = parseListPage({ routeOptions, params, query }, NEWEST_FIRST);
  const range = { after: toTimePosition(page.after), take: page.take };
  const rows = await listMessagesForSide(client, { conversation: row, reader: 'OWNER' }, range);
  const { data: messages, pagination } = await tolerateIntegrityFailures(
    database,
    context,
    (readTolerantly) =>
      toListPage(page, { rows }, (message) =>
        toThreadMessageView(fieldCipher, message, locale, readTolerantly),
      ),
  );
  const oldest = pagination.nextCursor;
  const view = (await createOwnerConversationViewer(services, context, user, [row]))(row);
  const code = await findOwnQrCode(client, accountId, row.qrCodeId);
  const scan = view.scanId ? await readOwnScan(services, accountId, view.scanId) : null;
  const laterScans = await readLaterScans(services, accountId, rows);
  const reader = {
    editor: { userId: user.id, role: account.role },
    path: `${path}/notes`,
    token,
    timeZone,
  };
  const notes = account.type === 'ORGANIZATION' ? await readNotes(services, context, row) : [];
  const thread = {
    notes: notes.map((note) => renderNoteEntry(note, reader, locale)),
    messages: messages.toReversed(),
    scan,
    laterScans,
    from: oldest ? (messages.at(-1)?.sentAt ?? null) : null,
    to: range.after?.at.toISOString() ?? null,
    startedAt: row.createdAt,
    code: row.qrCode,
    scansPath: `${getAccountPath(services, accountId)}/codes/${row.qrCodeId}/scans`,
    timeZone,
  };
  const isOpen = row.status === 'OPEN';
  const isLost = code?.status === 'LOST';
  const hasUndo = done === 'found' && code !== null && canResumeLostReport(code);
  const date = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'long', timeZone });
  const noteKey = isKeyOf(DONE_MESSAGES, done) && DONE_MESSAGES[done];
  const finder = view.finderName
    ? translateHtml(locale, 'conversation.finderNamed', { name: html`<bdi>${view.finderName}</bdi>` })
    : html`${t(locale, 'conversation.finder')}`;
  const lostToken = getPermittedFormToken(services, request, reply, 'qrcodes:own');
  const action = (to: string, submit: string, more: { token?: FormToken; kind?: 'plain' | 'danger' } = {}) =>
    renderForm({ action: `${path}/${to}`, token, submit, ...more });
  const confirm = (to: 'end' | 'block', title: string, text: string, submit: string) =>
    renderConfirmation(title, text, { action: `${path}/${to}`, token, submit, kind: 'danger' });
  return sendOwnerPage(services, request, reply, {
    title: row.qrCode.title,
    tabTitle: getCodeTabTitle(row.qrCode, locale),
    entry: 'inbox',
    status: rejection?.status ?? 200,
    body: html`<p><a href="${getInboxPath(services, accountId)}">${t(locale, 'app.inbox.title')}</a> · ${code && html`<a href="${getAccountPath(services, accountId)}/codes/${code.id}"><bdi>${code.title}</bdi></a> · `}${finder}${isLost && html` <span class="chip is-lost">${t(locale, 'app.inbox.lost')}</span>`}${!isOpen && html` <span class="chip">${t(locale, 'app.inbox.ended')}</span>`}${isOpen && view.done && html` <span class="chip">${t(locale, 'app.inbox.doneTab')}</span>`}</p>
${row.endedBy !== 'OWNER' && (view.done ? action('not-done', t(locale, 'app.inbox.openAgain'), { kind: 'plain' }) : action('done', t(locale, 'app.inbox.markDone'), { kind: 'plain' }))}
${await renderAssignee(services, accountId, view, { action: `${path}/assign`, token }, locale)}
${noteKey && renderNote(t(locale, noteKey))}${
  hasUndo &&
  html`<div class="actions">${isOpen && action('end', t(locale, 'conversation.endButton'), { kind: 'plain' })}${action('still-lost', t(locale, 'ownerLink.undoFoundButton'), { token: lostToken, kind: 'plain' })}</div>`
}
${oldest && html`<p><a href="${path}?cursor=${oldest}">${t(locale, 'conversation.older')}</a></p>`}
<div id="thread"${cursor === undefined && html` data-script="live" data-updates="${path}/updates" data-state="${state}" data-seconds="5" data-text="${t(locale, 'conversation.newMessage')}"`}>${renderThread(thread, locale)}</div>
${canAnswer && isOpen && cursor === undefined && html`<p class="small" role="status" data-script="typing" data-address="${path}/typing" data-text="${t(locale, 'app.inbox.typing')}"></p>`}
${cursor !== undefined && html`<p><a href="${path}">${t(locale, 'app.inbox.newest')}</a></p>`}
${isOpen ? renderReplyForm(path, token, row.qrCode.kind, rejection, locale) : renderNote(t(locale, 'conversation.ended'))}${row.endedBy === 'OWNER' && !view.blocked && action('reopen', t(locale, 'app.inbox.reopen'), { kind: 'plain' })}
${account.type === 'ORGANIZATION' && renderNewNote(reader.path, token, locale)}
${isLost && lostToken !== null && html`<section><h2>${t(locale, 'ownerLink.lost')}</h2><p>${t(locale, 'ownerLink.foundText')}</p>${action('found', t(locale, 'ownerLink.foundButton'), { token: lostToken })}</section>`}
${isOpen && confirm('end', t(locale, 'conversation.endTitle'), t(locale, 'conversation.endText'), t(locale, 'conversation.endButton'))}${
  view.blocked
    ? html`<p>${t(locale, 'app.inbox.isBlocked')}</p>${action('unblock', t(locale, 'app.inbox.unblock'), { kind: 'plain' })}`
    : confirm(
        'block',
        t(locale, 'conversation.blockTitle'),
        t(locale, 'conversation.blockText'),
        t(locale, 'conversation.blockButton'),
      )
}${renderReport(`${path}/report`, token, view.report, locale)}
<p class="small">${t(locale, 'conversation.endsAt', { date: date.format(row.expiresAt) })}</p>`,
  });
}

/** Read the newest notes, for the pages of a thread that have them. */
async function readNotes(
  { database, fieldCipher }: OwnerPageServices,
  context: RequestContext,
  row: ConversationRow,
): Promise<Static<typeof ConversationNote>[]> {
  const rows = await listNotes(database.client, row, { after: null, take: MAX_SHOWN_NOTES });
  return tolerateIntegrityFailures(database, context, (readTolerantly) =>
    rows.map((note) => toNoteView(fieldCipher, note, readTolerantly)).toReversed(),
  );
}

/** Render who is to answer, and the choice of others; nothing on a personal account. */
async function renderAssignee(
  { database }: OwnerPageServices,
  accountId: string,
  { assigneeId, assigneeName }: Static<typeof ConversationSchema>,
  form: { action: string; token: FormToken },
  locale: Locale,
): Promise<Html | null> {
  const range = { skip: 0, take: MAX_OFFERED_ASSIGNEES, after: null };
  const { rows } = await listAssignees(database.client, accountId, range);
  if (rows.length === 0) return null;
  const unnamed = t(locale, 'app.members.unnamed');
  if (form.token === null)
    return assigneeId
      ? html`<p>${translateHtml(locale, 'app.inbox.assignedTo', { name: html`<bdi>${assigneeName ?? unnamed}</bdi>` })}</p>`
      : null;
  const members = rows.map(({ id, name }) => ({ value: id, label: name ?? unnamed }));
  if (assigneeId && !rows.some(({ id }) => id === assigneeId))
    members.push({ value: assigneeId, label: assigneeName ?? unnamed });
  const options = [{ value: '', label: t(locale, 'app.inbox.nobody') }, ...members];
  const label = t(locale, 'app.inbox.assignee');
  return renderForm({
    ...form,
    fields: renderSelect({ name: 'assignee', label, value: assigneeId ?? '', options }),
    submit: t(locale, 'app.inbox.assign'),
    kind: 'plain',
  });
}

/** Read the scans that messages were written from, beside the one that the conversation began with. */
async function readLaterScans(
  services: OwnerPageServices,
  accountId: string,
  messages: readonly { scanId: string | null }[],
): Promise<OwnScan[]> {
  const ids = new Set(messages.flatMap(({ scanId }) => scanId ?? []));
  const scans = await Promise.all([...ids].map((id) => readOwnScan(services, accountId, id)));
  return scans.filter((scan) => scan !== null);
}

function renderReplyForm(
  path: string,
  token: FormToken,
  kind: string,
  rejection: ReplyRejection | undefined,
  locale: Locale,
): Html {
  const needsConfirmation = rejection?.needsConfirmation === true;
  const quickReplies = getOwnerMessagePresetsForCodeKind(kind).map(
    (preset) =>
      html`<button class="plain" name="preset" value="${preset}">${t(locale, `conversation.presets.${preset}`)}</button>`,
  );
  const field = renderField(
    {
      name: 'message',
      label: t(locale, 'conversation.answerLabel'),
      value: rejection?.message,
      isMultiline: true,
      rows: 3,
      maxLength: MAX_MESSAGE_CHARACTERS,
      script: 'send-by-keyboard',
      error: rejection?.text,
    },
    [],
    locale,
  );
  return renderForm({
    action: `${path}/reply`,
    token,
    hidden: { confirmed: needsConfirmation ? 'yes' : undefined },
    fields: html`${field}`,
    submit: t(locale, needsConfirmation ? 'conversation.sendAnyway' : 'conversation.sendButton'),
    others: needsConfirmation
      ? null
      : html`<p class="small">${t(locale, 'app.inbox.quickReplies')}</p><div class="actions">${quickReplies}</div>`,
  });
}

function renderReport(
  action: string,
  token: FormToken,
  report: 'OPEN' | 'DECIDED' | null,
  locale: Locale,
): Html {
  if (report)
    return html`<p>${t(locale, report === 'OPEN' ? 'conversation.reported' : 'conversation.reportDecided')}</p>`;
  const choices = CONVERSATION_REPORT_CATEGORIES.map(
    (category) =>
      html`<label><input type="radio" name="category" value="${category}" required> ${t(locale, `conversation.reportCategories.${category}`)}</label>`,
  );
  const note = renderField(
    {
      name: 'note',
      label: t(locale, 'conversation.reportNoteLabel'),
      isMultiline: true,
      maxLength: MAX_CONVERSATION_REPORT_NOTE_CHARACTERS,
    },
    [],
    locale,
  );
  return renderConfirmation(t(locale, 'conversation.reportTitle'), t(locale, 'conversation.reportText'), {
    action,
    token,
    submit: t(locale, 'conversation.reportButton'),
    kind: 'danger',
    fields: html`<fieldset><legend>${t(locale, 'conversation.reportLabel')}</legend>${choices}</fieldset>${note}`,
  });
}
