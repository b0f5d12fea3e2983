import { type Static, Type } from 'typebox';
import { ERRORS } from '../../catalogue.ts';
import { Id, nullable, schemaRef, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { ConversationMessage } from '../conversations/index.ts';
import { Notification } from '../notifications/index.ts';

const Side = stringEnum(['FINDER', 'OWNER'], { description: 'FINDER scanned the code; OWNER owns it.' });
const Token = Type.String({ minLength: 1, maxLength: 4_096 });

const ofOrganization = {
  accountId: Type.Optional(
    Type.String({ description: 'The organization that it is about; absent for your personal account.' }),
  ),
};

export const SERVER_EVENT_SCHEMAS = {
  ready: Type.Object(
    {
      side: stringEnum(['ACCOUNT', 'FINDER']),
      userId: nullable(Id),
      conversationId: nullable(Id),
    },
    {
      description:
        'Sent once the socket is authenticated, before all events except `pong` and `error`, and again after each further `authenticate`. Its `id` is the current position; use it as `since` if no later event arrives.',
    },
  ),
  resync: Type.Object(
    {},
    {
      description:
        'Missed events are no longer stored: reload the lists. New events follow; `id` is the current position.',
    },
  ),
  'notification.created': Type.Object(
    {
      notificationId: Id,
      notification: Type.Union([schemaRef(Notification), Type.Null()]),
      ...ofOrganization,
    },
    {
      description:
        'A new notification; null if it was deleted. Its `event` is what happened. For accounts only.',
    },
  ),
  'notification.read': Type.Object(
    { notificationId: nullable(Id) },
    { description: 'A notification was read; null means all. For accounts only.' },
  ),
  'message.created': Type.Object(
    {
      conversationId: Id,
      messageId: Id,
      message: Type.Union([schemaRef(ConversationMessage), Type.Null()]),
      ...ofOrganization,
    },
    {
      description:
        'A message of either side, as in the list of messages; null if it was deleted. Receiving it does not mark it as read.',
    },
  ),
  'message.read': Type.Object(
    { conversationId: Id, by: Side, upTo: Id, ...ofOrganization },
    { description: 'The messages of the other side were read by `by`, up to this one.' },
  ),
  'conversation.ended': Type.Object(
    { conversationId: Id, by: stringEnum(['FINDER', 'OWNER', 'ADMINISTRATION']), ...ofOrganization },
    { description: 'The conversation has ended; messages can no longer be sent.' },
  ),
  'conversation.reopened': Type.Object(
    { conversationId: Id, ...ofOrganization },
    { description: 'The owner reopened the conversation; messages can be sent again.' },
  ),
  'conversation.updated': Type.Object(
    { conversationId: Id, ...ofOrganization },
    {
      description:
        'The owner marked the conversation as done or as open again, or changed who is to answer. For accounts only.',
    },
  ),
  'scan.created': Type.Object(
    { scanId: Id, qrCodeId: Id, ...ofOrganization },
    {
      description:
        'A person scanned a code (class HUMAN). Scans of a code within a moment are one event, with the newest. Not stored. For accounts only.',
    },
  ),
  'scan.located': Type.Object(
    { scanId: Id, qrCodeId: Id, ...ofOrganization },
    { description: 'A finder shared a position. Not stored. For accounts only.' },
  ),
  'import.progress': Type.Object(
    { importId: Id, ...ofOrganization },
    { description: 'Rows of an import were processed, or it has ended. Not stored. For accounts only.' },
  ),
  typing: Type.Object(
    { conversationId: Id, side: Side, ...ofOrganization },
    { description: 'The other side is typing. Not stored.' },
  ),
  presence: Type.Object(
    { conversationId: Id, side: Side, present: Type.Boolean(), ...ofOrganization },
    { description: 'Whether the other side has the conversation open. Not stored.' },
  ),
  pong: Type.Object({}, { description: 'Reply to `ping`.' }),
  error: Type.Object(
    {
      code: stringEnum(Object.keys(ERRORS), {
        description: 'Error code: /api/docs/errors/<CODE>.',
      }),
      message: Type.String(),
      event: nullable(Type.String({ description: 'Event that failed; null if it could not be parsed.' })),
    },
    { description: 'An event of the client failed. The socket stays open.' },
  ),
} as const;

export const CLIENT_EVENT_SCHEMAS = {
  authenticate: Type.Object(
    {
      token: Type.Optional(Token),
      conversationToken: Type.Optional(Token),
      conversationId: Type.Optional(Id),
    },
    {
      description:
        'Credential, if the request had none in its headers; required within five seconds. Send an access `token`, or the `conversationToken` of a finder. Send a new access token of the same account before the current one expires.',
    },
  ),
  typing: Type.Object(
    { conversationId: Id },
    { description: 'This side is typing. Forwarded at most once every two seconds.' },
  ),
  read: Type.Object(
    { conversationId: Id, upTo: Type.Optional(Id) },
    { description: 'Mark messages of the other side as read, up to `upTo` if set.' },
  ),
  watch: Type.Object(
    { conversationId: Id },
    {
      description:
        'This side has opened the conversation, which must not have ended. The reply is the `presence` of the other side.',
    },
  ),
  unwatch: Type.Object({ conversationId: Id }, { description: 'This side has closed the conversation.' }),
  ping: Type.Object({}, { description: 'The reply is `pong`.' }),
} as const;

export type ServerEventName = keyof typeof SERVER_EVENT_SCHEMAS;
export type ClientEventName = keyof typeof CLIENT_EVENT_SCHEMAS;

export type ClientEventData<Name extends ClientEventName> = Static<(typeof CLIENT_EVENT_SCHEMAS)[Name]>;

export const ClientMessage = Type.Object({
  event: Type.String({ maxLength: 64 }),
  data: Type.Optional(Type.Object({})),
});

const EventId = nullable(
  Type.String({
    description: 'Value for `since` after the socket is lost; null for events outside the stream.',
  }),
);

export const RealtimeServerEvent = Type.Unsafe<object>({
  $id: 'RealtimeServerEvent',
  description: 'A message of the service on /api/realtime.',
  oneOf: Object.entries(SERVER_EVENT_SCHEMAS).map(([event, data]) =>
    Type.Object({ event: stringEnum([event]), data, id: EventId, at: Timestamp }),
  ),
});

export const RealtimeClientEvent = Type.Unsafe<object>({
  $id: 'RealtimeClientEvent',
  description: 'A message of a client on /api/realtime.',
  oneOf: Object.entries(CLIENT_EVENT_SCHEMAS).map(([event, data]) =>
    Object.keys(data.properties).length === 0
      ? Type.Object({ event: stringEnum([event]), data: Type.Optional(data) })
      : Type.Object({ event: stringEnum([event]), data }),
  ),
});
