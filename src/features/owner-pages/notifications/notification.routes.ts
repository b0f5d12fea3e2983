import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { CursorQuery } from '../../../shared/pagination.ts';
import { findInvoicePageUrl } from '../../billing/index.ts';
import { findOwnQrCode } from '../../codes/index.ts';
import { findConversation } from '../../conversations/index.ts';
import {
  findOwnerLinkSubject,
  getNotification,
  listNotifications,
  type NotificationRow,
  pickStringValues,
  readAllNotifications,
  readNotification,
  toNotificationView,
} from '../../notifications/index.ts';
import { isBotOrPreviewRequest, toScanVisitor } from '../../scans/index.ts';
import { findWebhookEndpoint } from '../../webhooks/index.ts';
import { renderEmptyState, renderForm, renderNote } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { listNotificationTargets, type NotificationTarget } from './notification-target.rules.ts';
import { renderNotificationEntry } from './render-notification-entry.ts';

const NOTIFICATIONS_PER_PAGE = 20;

const NotificationParams = createIdParamsSchema('accountId', 'id');

const OWN_ACCESS = allowByCookie(allowUsers('notifications:own'));

const TokenField = Type.Object({ token: Type.Optional(Type.String()) });

/** Where the links of mails lead to: to the screen that a notification is about, or to a page of its own. */
export const notificationPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const { client } = database;
  const readConfig = {
    access: OWN_ACCESS,
    audit: auditAs('NOTIFICATION_READ'),
    rateLimitClass: 'page',
  } as const;

  app.get(
    '/notifications/:id',
    { config: readConfig, schema: { hide: true, params: createIdParamsSchema('id') } },
    async (request, reply) => {
      const row = await openNotification(request, request.params.id);
      const [target] = await listTargets(row);
      if (target?.isDirect)
        return redirect(reply, `${getAccountPath(services, row.accountId)}${target.path}`);
      // Notifications are of the user, whatever account they are about.
      return redirect(reply, `${getAccountPath(services, row.userId)}/notifications/${row.id}`);
    },
  );

  app.get(
    '/:accountId/notifications',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('NOTIFICATION'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId'),
        querystring: Type.Object({
          cursor: CursorQuery.properties.cursor,
          done: Type.Optional(Type.String()),
          lang: Type.Optional(Type.Unknown()),
        }),
      },
    },
    async (request, reply) => {
      const { id: userId, timeZone } = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const path = `${getAccountPath(services, userId)}/notifications`;
      const openPath = `${getOwnerPagesPath(services)}/notifications`;
      const token = getFormToken(services, request, reply);
      const { cursor, done } = request.query;
      const { routeOptions, params } = request;
      const query = { limit: NOTIFICATIONS_PER_PAGE, ...(cursor && { cursor }) };
      const page = parseListPage({ routeOptions, params, query }, NEWEST_FIRST);
      const list = await listNotifications(client, userId, {}, '-createdAt', page);
      const { data, pagination } = toListPage(page, list, (row) => toNotificationView(row, locale));
      const hasUnread = data.some(({ isRead }) => !isRead);
      const entries = data.map((one) =>
        renderNotificationEntry(one, { path, openPath, token, timeZone }, locale),
      );
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.notifications.title'),
        body: html`${done === 'read-all' && renderNote(t(locale, 'app.notifications.allRead'))}${
          hasUnread &&
          html`<div class="actions">${renderForm({ action: `${path}/read-all`, token, submit: t(locale, 'app.notifications.markAll'), kind: 'plain' })}</div>`
        }
${entries.length > 0 ? html`<ul class="cards rows">${entries}</ul>` : renderEmptyState(t(locale, 'app.notifications.empty'))}
${pagination.nextCursor && html`<p><a class="act plain" href="${path}?cursor=${pagination.nextCursor}">${t(locale, 'app.notifications.older')}</a></p>`}`,
      });
    },
  );

  app.get(
    '/:accountId/notifications/:id',
    { config: readConfig, schema: { hide: true, params: NotificationParams } },
    async (request, reply) => {
      const { timeZone } = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const row = await openNotification(request, request.params.id);
      const { title, body, event, data, createdAt } = toNotificationView(row, locale);
      const format = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'full', timeStyle: 'short', timeZone });
      const account = getAccountPath(services, row.accountId);
      const links = (await listTargets(row)).map(
        (target) => html`<a class="act" href="${account}${target.path}">${t(locale, target.label)}</a>`,
      );
      const hasInvoice = findOwnerLinkSubject(event, data)?.name === 'invoice';
      const invoice =
        hasInvoice &&
        html`<a class="act" href="${account}/notifications/${row.id}/invoice">${t(locale, 'mails.button.invoice')}</a>`;
      return sendOwnerPage(services, request, reply, {
        // Its own title can have what is not for the history of the browser.
        title: t(locale, 'app.notifications.one'),
        isNarrow: true,
        body: html`<h2>${title}</h2>
<p>${body}</p>
<p class="small"><time datetime="${createdAt}">${format.format(row.createdAt)}</time></p>
<div class="actions">${invoice}${links}</div>
<p><a href="${getAccountPath(services, row.userId)}/notifications">${t(locale, 'app.notifications.title')}</a></p>`,
      });
    },
  );

  app.get(
    '/:accountId/notifications/:id/invoice',
    {
      config: {
        access: allowByCookie(allowUsers('subscription:own')),
        audit: skipAudit('NOTIFICATION'),
        rateLimitClass: 'page',
      },
      schema: { hide: true, params: NotificationParams },
    },
    async (request, reply) => {
      const { id: userId } = requireAuthenticatedUser(request);
      const { id: accountId } = requireAccount(request);
      const row = await getNotification(client, userId, request.params.id);
      const subject =
        row.accountId === accountId ? findOwnerLinkSubject(row.event, pickStringValues(row.data)) : null;
      if (subject?.name !== 'invoice') throw new ServiceError('NOT_FOUND');
      const url = await findInvoicePageUrl(services, accountId, subject.invoiceId);
      if (url !== null) return redirect(reply, url);
      const locale = chooseOwnerPageLocale(request);
      return sendOwnerPage(services, request, reply, {
        status: 404,
        title: t(locale, 'app.notifications.one'),
        isNarrow: true,
        body: renderNote(t(locale, 'ownerLink.invoiceUnavailable'), 'wrong'),
      });
    },
  );

  app.post(
    '/:accountId/notifications/:id/read',
    {
      config: { access: OWN_ACCESS, audit: auditAs('NOTIFICATION_READ') },
      schema: { hide: true, params: NotificationParams, body: TokenField },
    },
    async (request, reply) => {
      const { accountId, id } = request.params;
      await readNotification(database, getRequestContext(request), accountId, id);
      return redirect(reply, `${getAccountPath(services, accountId)}/notifications`);
    },
  );

  app.post(
    '/:accountId/notifications/read-all',
    {
      config: { access: OWN_ACCESS, audit: auditAs('NOTIFICATIONS_READ_ALL') },
      schema: { hide: true, params: createIdParamsSchema('accountId'), body: TokenField },
    },
    async (request, reply) => {
      const { accountId } = request.params;
      await readAllNotifications(database, getRequestContext(request), accountId);
      return redirect(reply, `${getAccountPath(services, accountId)}/notifications?done=read-all`);
    },
  );

  /** Mark a notification as read unless nobody is looking. @throws NOT_FOUND */
  async function openNotification(request: FastifyRequest, id: string): Promise<NotificationRow> {
    const { id: userId } = requireAuthenticatedUser(request);
    const context = getRequestContext(request);
    if (!isBotOrPreviewRequest(toScanVisitor(context)))
      return readNotification(database, context, userId, id);
    return getNotification(client, userId, id);
  }

  /** List the screens of records that are still there. */
  async function listTargets({ accountId, event, data }: NotificationRow): Promise<NotificationTarget[]> {
    const values = pickStringValues(data);
    const { qrCodeId, conversationId, webhookEndpointId } = values;
    const code = qrCodeId ? await findOwnQrCode(client, accountId, qrCodeId) : null;
    const conversation = conversationId ? await findConversation(client, conversationId) : null;
    const endpoint = webhookEndpointId
      ? await findWebhookEndpoint(client, accountId, webhookEndpointId)
      : null;
    return listNotificationTargets(event, values).filter(({ route }) => {
      if (route.startsWith('/developers')) return endpoint !== null;
      if (route.startsWith('/codes')) return code !== null;
      return !route.startsWith('/inbox') || conversation?.accountId === accountId;
    });
  }

  function redirect(reply: FastifyReply, address: string): FastifyReply {
    return reply.redirect(address, 303);
  }
};
