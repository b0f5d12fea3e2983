import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { listChanges } from '../../platform/http/list-changes.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, DeletedResponse, schemaRef } from '../../shared/common.schemas.ts';
import { createValidationError } from '../../shared/errors.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createChangesPageSchema } from '../../shared/list-changes.schemas.ts';
import { createTimeSort, NEWEST_FIRST, OLDEST_FIRST } from '../../shared/list-cursor.ts';
import {
  deleteNotification,
  getNotification,
  readAllNotifications,
  readNotification,
} from './change-notifications.use-case.ts';
import {
  countUnreadNotifications,
  getNotificationChangeTime,
  listChangedNotifications,
  listNotifications,
} from './notification.repository.ts';
import { toNotificationView } from './notification.view.ts';
import { Notification, NotificationQuery, ReadAll, UnreadCount } from './notifications.schemas.ts';

const LAST_CHANGED_LAST = createTimeSort('updatedAt', getNotificationChangeTime);

const OWN_ACCESS = allowUsers('notifications:own');

export const notificationRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('NOTIFICATION'), cache: 'revalidate' },
      schema: {
        operationId: 'notifications.list',
        tags: ['Notifications'],
        summary: 'List notifications, newest first',
        description: `Texts are in the language of your profile. Read notifications are kept for ${formatLifetime('readNotification')}, unread ones for ${formatLifetime('unreadNotification')}; those are not in \`deleted\` afterwards.`,
        querystring: NotificationQuery,
        response: { 200: createChangesPageSchema(Notification) },
      },
    },
    async (request) => {
      const { is_read, isRead, type: types, sort = '-createdAt', updatedSince } = request.query;
      if (updatedSince !== undefined) return listNotificationChanges(request);
      if (is_read !== undefined && isRead !== undefined && is_read !== isRead)
        throw createValidationError({
          field: 'isRead',
          code: 'NOT_ALLOWED',
          message: 'Must be the same as is_read.',
        });
      const { id: userId, language } = requireAuthenticatedUser(request);
      const page = parseListPage(request, sort === 'createdAt' ? OLDEST_FIRST : NEWEST_FIRST);
      const filter = { types, isRead: is_read ?? isRead };
      const list = await database.read(({ client }) => listNotifications(client, userId, filter, sort, page));
      return toListPage(page, list, (row) => toNotificationView(row, toSupportedLocale(language)));
    },
  );

  app.get(
    '/unread-count',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('NOTIFICATION') },
      schema: {
        operationId: 'notifications.getUnreadCount',
        tags: ['Notifications'],
        summary: 'Get the number of unread notifications',
        description:
          'For a badge. The realtime events `notification.created` and `notification.read` tell when it changes.',
        response: { 200: schemaRef(UnreadCount) },
      },
    },
    async (request) => ({
      count: await countUnreadNotifications(database.client, requireAuthenticatedUser(request).id),
    }),
  );

  app.get(
    '/:id',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('NOTIFICATION') },
      schema: {
        operationId: 'notifications.get',
        tags: ['Notifications'],
        summary: 'Get a notification',
        description: 'With the deliveries by email and push. It stays unread.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(Notification) },
      },
    },
    async (request) => {
      const { id: userId, language } = requireAuthenticatedUser(request);
      const row = await getNotification(database.client, userId, request.params.id);
      return toNotificationView(row, toSupportedLocale(language));
    },
  );

  app.patch(
    '/:id/read',
    {
      config: { access: OWN_ACCESS, audit: auditAs('NOTIFICATION_READ') },
      schema: {
        operationId: 'notifications.markRead',
        tags: ['Notifications'],
        summary: 'Mark a notification as read',
        description:
          'Returns the notification. Other devices of the user get the realtime event `notification.read`. Repeating it changes nothing.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(Notification) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { id: userId, language } = requireAuthenticatedUser(request);
      const row = await readNotification(database, getRequestContext(request), userId, id);
      return toNotificationView(row, toSupportedLocale(language));
    },
  );

  app.post(
    '/read-all',
    {
      config: { access: OWN_ACCESS, audit: auditAs('NOTIFICATIONS_READ_ALL'), storesResponse: true },
      schema: {
        operationId: 'notifications.markAllRead',
        tags: ['Notifications'],
        summary: 'Mark all notifications as read',
        description:
          'Returns how many were unread. Other devices of the user get the realtime event `notification.read`.',
        response: { 200: schemaRef(ReadAll) },
      },
    },
    async (request) => {
      const { id: userId } = requireAuthenticatedUser(request);
      return { updated: await readAllNotifications(database, getRequestContext(request), userId) };
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: OWN_ACCESS, audit: auditAs('NOTIFICATION_DELETED') },
      schema: {
        operationId: 'notifications.delete',
        tags: ['Notifications'],
        summary: 'Delete a notification',
        description: 'It leaves the list on all devices and no longer counts as unread.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { id: userId } = requireAuthenticatedUser(request);
      await deleteNotification(database, getRequestContext(request), userId, id);
      return { id, deleted: true as const };
    },
  );

  async function listNotificationChanges(
    request: FastifyRequest<{ Querystring: Static<typeof NotificationQuery> }>,
  ) {
    const { id: userId, language } = requireAuthenticatedUser(request);
    return listChanges(request, LAST_CHANGED_LAST, async (since, page) => {
      const changed = await listChangedNotifications(database.client, { userId, since }, page);
      return {
        rows: changed.filter(({ dismissedAt }) => dismissedAt === null),
        deletions: changed.flatMap(({ id, dismissedAt: deletedAt }) =>
          deletedAt === null ? [] : [{ id, deletedAt }],
        ),
        toItem: (row: (typeof changed)[number]) => toNotificationView(row, toSupportedLocale(language)),
      };
    });
  }
};
