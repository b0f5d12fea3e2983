import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';

export const NOTIFICATION_TYPES = ['DEFAULT', 'ALERT', 'MESSAGE', 'SYSTEM'] as const;

export const DELIVERY_CHANNELS = ['IN_APP', 'EMAIL', 'PUSH'] as const;
export const DELIVERY_STATES = ['DELIVERED', 'WAITING', 'NOT_SENT', 'FAILED'] as const;

const Delivery = Type.Object({
  channel: stringEnum(DELIVERY_CHANNELS),
  status: stringEnum(DELIVERY_STATES, { description: 'DELIVERED is: taken by whoever brings it.' }),
  reason: nullable(
    Type.String({
      description:
        'Why it waits or was not delivered, as a word, such as QUIET_HOURS, DIGEST, ALREADY_NOTIFIED or TOO_MANY.',
    }),
  ),
  at: Timestamp,
});

export const Notification = Type.Object(
  {
    id: Id,
    type: stringEnum(NOTIFICATION_TYPES, { description: 'DEFAULT is ordinary.' }),
    event: Type.String({ description: 'What happened, such as QR_CODE_SCANNED or NEW_LOGIN.' }),
    title: Type.String(),
    body: Type.String(),
    data: Type.Record(Type.String(), Type.String(), {
      description: 'Ids that a client needs to open what it is about, such as qrCodeId.',
    }),
    isRead: Type.Boolean(),
    deliveries: Type.Array(Delivery, { description: 'How it reached the person, channel by channel.' }),
    createdAt: Timestamp,
  },
  { $id: 'Notification' },
);

export const NotificationQuery = Type.Object({
  ...PageQuery.properties,
  is_read: Type.Optional(Type.Boolean({ description: 'Only read ones, or only unread ones.' })),
  isRead: Type.Optional(Type.Boolean({ description: 'The same as is_read; both are given alike.' })),
  type: Type.Optional(stringEnum(NOTIFICATION_TYPES, { description: 'Only of this type.' })),
});

export const UnreadCount = Type.Object(
  { count: Type.Integer({ description: 'Notifications not read yet.' }) },
  { $id: 'UnreadCount' },
);

export const ReadAll = Type.Object(
  { updated: Type.Integer({ description: 'How many were unread until now.' }) },
  { $id: 'ReadAll' },
);
