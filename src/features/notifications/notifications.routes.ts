import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { publish } from '../../platform/realtime/publish.ts';
import { userStream } from '../../platform/realtime/streams.ts';
import { account, audited, unaudited } from '../../platform/route-access.ts';
import { Deleted, idParams, ref } from '../../shared/common.schemas.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { offsetOf, pageAnswer, pageOf } from '../../shared/pagination.ts';
import {
  countUnread,
  dismissNotification,
  findNotification,
  listNotifications,
  markAllRead,
  markRead,
} from './notification.repository.ts';
import { notificationView } from './notification.view.ts';
import { Notification, NotificationQuery, ReadAll, UnreadCount } from './notifications.schemas.ts';

const OWN = account('notifications:own');

/** What a person is told. */
export const notificationRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '',
    {
      config: { access: OWN, audit: unaudited('NOTIFICATION'), cache: 'revalidate' },
      schema: {
        operationId: 'notifications.list',
        tags: ['Notifications'],
        summary: 'The notifications of the account, newest first.',
        querystring: NotificationQuery,
        response: { 200: pageOf(Notification) },
      },
    },
    async (request) => {
      const { is_read, isRead, type, limit } = request.query;
      if (is_read !== undefined && isRead !== undefined && is_read !== isRead)
        throw invalidFields({
          field: 'isRead',
          code: 'NOT_ALLOWED',
          message: 'Must be the same as is_read.',
        });
      const { id: userId, language } = userOf(request);
      const { rows, total } = await listNotifications(database.client, userId, {
        type,
        isRead: is_read ?? isRead,
        skip: offsetOf(request.query),
        take: limit,
      });
      return pageAnswer(
        request.query,
        rows.map((row) => notificationView(row, toLocale(language))),
        total,
      );
    },
  );

  app.get(
    '/unread-count',
    {
      config: { access: OWN, audit: unaudited('NOTIFICATION') },
      schema: {
        operationId: 'notifications.unreadCount',
        tags: ['Notifications'],
        summary: 'How many notifications are not read yet.',
        response: { 200: ref(UnreadCount) },
      },
    },
    async (request) => ({ count: await countUnread(database.client, userOf(request).id) }),
  );

  app.patch(
    '/:id/read',
    {
      config: { access: OWN, audit: audited('NOTIFICATION_READ') },
      schema: {
        operationId: 'notifications.read',
        tags: ['Notifications'],
        summary: 'Mark a notification as read.',
        params: idParams('id'),
        response: { 200: ref(Notification) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { id: userId, language } = userOf(request);
      return database.transaction(async (tx) => {
        const marked = await markRead(tx, userId, id);
        const row = await findNotification(tx, userId, id);
        if (!row) throw new ServiceError('NOT_FOUND');
        if (marked) {
          await recordAction(tx, callerOf(request), { resourceId: id });
          await publishRead(tx, userId, id);
        }
        return notificationView(row, toLocale(language));
      });
    },
  );

  app.post(
    '/read-all',
    {
      config: { access: OWN, audit: audited('NOTIFICATIONS_READ_ALL') },
      schema: {
        operationId: 'notifications.readAll',
        tags: ['Notifications'],
        summary: 'Mark all notifications as read.',
        response: { 200: ref(ReadAll) },
      },
    },
    async (request) =>
      database.transaction(async (tx) => {
        const { id: userId } = userOf(request);
        const updated = await markAllRead(tx, userId);
        if (updated > 0) {
          await recordAction(tx, callerOf(request));
          await publishRead(tx, userId, null);
        }
        return { updated };
      }),
  );

  app.delete(
    '/:id',
    {
      config: { access: OWN, audit: audited('NOTIFICATION_DELETED') },
      schema: {
        operationId: 'notifications.delete',
        tags: ['Notifications'],
        summary: 'Delete a notification.',
        params: idParams('id'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await database.transaction(async (tx) => {
        if (!(await dismissNotification(tx, userOf(request).id, id))) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: id });
      });
      return { id, deleted: true as const };
    },
  );
};

/** Has the other windows of a person hear that a notification was read; null: all of them. */
function publishRead(tx: Tx, userId: string, notificationId: string | null): Promise<void> {
  return publish(tx, { stream: userStream(userId), event: 'notification.read', data: { notificationId } });
}
