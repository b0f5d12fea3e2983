import { Type } from 'typebox';
import { Id, nullable, repeatable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { UpdatedSince } from '../../shared/list-changes.schemas.ts';
import { createSortParam, PageQuery } from '../../shared/pagination.ts';

export const NOTIFICATION_TYPES = ['DEFAULT', 'ALERT', 'MESSAGE', 'SYSTEM'] as const;

export const NOTIFICATION_DELIVERY_CHANNELS = ['IN_APP', 'EMAIL', 'PUSH'] as const;
export const NOTIFICATION_DELIVERY_STATUSES = ['DELIVERED', 'WAITING', 'NOT_SENT', 'FAILED'] as const;

const Delivery = Type.Object({
  channel: stringEnum(NOTIFICATION_DELIVERY_CHANNELS),
  status: stringEnum(NOTIFICATION_DELIVERY_STATUSES, { description: 'DELIVERED: accepted by the provider.' }),
  reason: nullable(
    Type.String({
      description:
        'Reason for waiting or for a failure, such as QUIET_HOURS, DIGEST, ALREADY_NOTIFIED or TOO_MANY.',
    }),
  ),
  at: Timestamp,
});

export const Notification = Type.Object(
  {
    id: Id,
    type: stringEnum(NOTIFICATION_TYPES, { description: 'Category; DEFAULT for most events.' }),
    event: Type.String({
      description:
        'What happened: a name of the catalogue of events, such as `scan.created` or `login.created`.',
    }),
    title: Type.String(),
    body: Type.String(),
    data: Type.Record(Type.String(), Type.String(), {
      description: 'Ids of the related resources, such as qrCodeId.',
    }),
    isRead: Type.Boolean(),
    deliveries: Type.Array(Delivery, { description: 'Delivery per channel.' }),
    createdAt: Timestamp,
  },
  { $id: 'Notification' },
);

const NOTIFICATION_SORTS = ['-createdAt', 'createdAt'] as const;

export type NotificationSort = (typeof NOTIFICATION_SORTS)[number];

/** Clients of the interface send the literal `undefined`, which the parser of queries drops. */
function createBooleanFilter(description: string) {
  return Type.Unsafe<boolean>({
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['undefined', 'null', ''] }],
    description,
  });
}

export const NotificationQuery = Type.Object({
  ...PageQuery.properties,
  is_read: Type.Optional(
    createBooleanFilter('Filter by read or unread. Without a value, or with `undefined`, lists both.'),
  ),
  isRead: Type.Optional(createBooleanFilter('Alias of is_read. If both are sent, they must be equal.')),
  type: Type.Optional(repeatable(stringEnum(NOTIFICATION_TYPES), 'Any of these types.')),
  sort: createSortParam(NOTIFICATION_SORTS),
  updatedSince: UpdatedSince,
});

export const UnreadCount = Type.Object(
  { count: Type.Integer({ description: 'Number of unread notifications.' }) },
  { $id: 'UnreadCount' },
);

export const ReadAll = Type.Object(
  { updated: Type.Integer({ description: 'Number of notifications marked as read.' }) },
  { $id: 'ReadAll' },
);
