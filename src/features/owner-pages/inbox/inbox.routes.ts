import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getVisibleRows, parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { CursorQuery } from '../../../shared/pagination.ts';
import { createOwnerConversationViewer } from '../../conversations/index.ts';
import { renderEmptyState, renderTabs, renderUndoBar } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { INBOX_ORDER, type InboxFilter, listInbox } from './list-inbox.ts';
import { renderInboxEntry, renderScanEntry } from './render-inbox-entry.ts';

const CONVERSATIONS_PER_PAGE = 20;

/** `show` is in the address. */
const OPEN_TAB = { show: undefined, label: 'app.inbox.open', filter: { isDone: false } } as const;
const TABS = [
  OPEN_TAB,
  { show: 'mine', label: 'app.inbox.mine', filter: { isDone: false }, isOfMembers: true },
  {
    show: 'unassigned',
    label: 'app.inbox.unassigned',
    filter: { isDone: false, assigneeId: null },
    isOfMembers: true,
  },
  { show: 'done', label: 'app.inbox.doneTab', filter: { isDone: true } },
  { show: 'all', label: 'app.inbox.all', filter: {} },
] as const satisfies readonly {
  show: string | undefined;
  label: MessageKey;
  filter: InboxFilter;
  isOfMembers?: true;
}[];

/** Of an inbox without entries. */
const NO_TIME = 0;

const InboxParams = createIdParamsSchema('accountId');

const INBOX_CONFIG = {
  access: allowByCookie(allowUsers('conversations:own')),
  audit: skipAudit('CONVERSATION'),
} as const;

/** The conversations of an account and the places without a message, newest first. */
export const inboxPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/:accountId/inbox',
    {
      config: { ...INBOX_CONFIG, rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: InboxParams,
        querystring: Type.Object({
          show: Type.Optional(Type.String()),
          /** The id of a code. */
          code: Type.Optional(Type.String()),
          /** The id of a conversation that was marked as done. */
          done: Type.Optional(Type.String()),
          cursor: CursorQuery.properties.cursor,
          lang: Type.Optional(Type.Unknown()),
        }),
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { timeZone } = user;
      const { id: accountId, type } = requireAccount(request);
      const locale = chooseOwnerPageLocale(request);
      const path = `${getAccountPath(services, accountId)}/inbox`;
      const { cursor, show, code = '', done } = request.query;
      const qrCodeId = isId(code) ? code : undefined;
      const offered = TABS.filter((one) => type === 'ORGANIZATION' || !('isOfMembers' in one));
      const tab = offered.find((one) => one.show === show) ?? OPEN_TAB;
      const assignee = tab.show === 'mine' && { assigneeId: user.id };
      const filter: InboxFilter = { qrCodeId, ...tab.filter, ...assignee };
      const { routeOptions, params } = request;
      const filters = { ...(qrCodeId && { code: qrCodeId }), ...(tab.show && { show: tab.show }) };
      const query = { limit: CONVERSATIONS_PER_PAGE, ...filters, ...(cursor && { cursor }) };
      const page = parseListPage({ routeOptions, params, query }, INBOX_ORDER);
      // Before the list is read, so that the script does not miss a message.
      const state = await findInboxState(accountId, request.unreadConversations);
      const rows = await listInbox(services, accountId, filter, page);
      const conversations = getVisibleRows(page, { rows }).flatMap(({ conversation }) => conversation ?? []);
      const toView = await createOwnerConversationViewer(
        services,
        getRequestContext(request),
        user,
        conversations,
        { isForPage: true },
      );
      const { data: entries, pagination } = toListPage(page, { rows }, ({ conversation, scan }) =>
        conversation
          ? renderInboxEntry(path, toView(conversation), timeZone, locale)
          : renderScanEntry(getAccountPath(services, accountId), scan, timeZone, locale),
      );
      const tabs = offered.map((one) => ({
        href: formatListPath(path, { code: qrCodeId, show: one.show }),
        label: t(locale, one.label),
        isCurrent: one === tab,
      }));
      const more =
        pagination.nextCursor && formatListPath(path, { ...filters, cursor: pagination.nextCursor });
      const empty = renderEmptyState(t(locale, chooseEmptyMessage()));
      const undo = isId(done) && {
        action: `${path}/${done}/not-done`,
        token: getPermittedFormToken(services, request, reply),
        submit: t(locale, 'app.code.undo'),
      };
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.inbox.title'),
        entry: 'inbox',
        body: html`${undo && renderUndoBar(t(locale, 'app.inbox.done.done'), undo)}${renderTabs(tabs, t(locale, 'app.inbox.filter'))}
<div id="conversations"${cursor === undefined && html` data-script="live" data-updates="${path}/updates" data-state="${state}" data-text="${t(locale, 'conversation.newMessage')}"`}>${
          entries.length > 0 ? html`<ul class="cards rows">${entries}</ul>` : empty
        }</div>
${more && html`<p><a class="act plain" href="${more}">${t(locale, 'app.inbox.older')}</a></p>`}
<p><a href="${getAccountPath(services, requireAuthenticatedUser(request).id)}/notifications">${t(locale, 'app.notifications.title')}</a></p>`,
      });

      function chooseEmptyMessage() {
        if (tab !== OPEN_TAB || cursor || qrCodeId) return 'app.inbox.nothing';
        return state.startsWith(`${NO_TIME}-`) ? 'app.inbox.empty' : 'app.inbox.nothingOpen';
      }
    },
  );

  app.get(
    '/:accountId/codes/:id/messages',
    {
      config: { ...INBOX_CONFIG, rateLimitClass: 'page' },
      schema: { hide: true, params: createIdParamsSchema('accountId', 'id') },
    },
    async (request, reply) => {
      const { accountId, id } = request.params;
      return reply.redirect(`${getAccountPath(services, accountId)}/inbox?code=${id}&show=all`, 303);
    },
  );

  app.get(
    '/:accountId/inbox/updates',
    { config: { ...INBOX_CONFIG, rateLimitClass: 'read' }, schema: { hide: true, params: InboxParams } },
    async (request, reply) =>
      reply
        .header('Cache-Control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(await findInboxState(request.params.accountId, request.unreadConversations)),
  );

  /** What the script compares to learn whether there is something new. */
  async function findInboxState(accountId: string, unread: number): Promise<string> {
    const [newest] = await listInbox(services, accountId, {}, { skip: 0, take: 1, after: null });
    return `${newest?.at.getTime() ?? NO_TIME}-${unread}`;
  }
};
