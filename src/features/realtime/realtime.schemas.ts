import { type Static, Type } from 'typebox';
import { Id, nullable, schemaRef, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { ERRORS } from '../../shared/errors.ts';
import { ConversationMessage } from '../conversations/index.ts';
import { Notification } from '../notifications/index.ts';

const Side = stringEnum(['FINDER', 'OWNER'], { description: 'FINDER scanned the code, OWNER has it.' });
const Token = Type.String({ minLength: 1, maxLength: 4_096 });

/** What each event that the service sends holds in `data`. */
export const SERVER_EVENTS = {
  ready: Type.Object(
    {
      side: stringEnum(['ACCOUNT', 'FINDER']),
      userId: nullable(Id),
      conversationId: nullable(Id),
    },
    {
      description:
        'The socket is let in, first of all events but `pong` and `error`; sent again after each further `authenticate`. Its `id` is where the stream begins for this socket: `since` it, if nothing else comes.',
    },
  ),
  resync: Type.Object(
    {},
    {
      description:
        'What was missed is not known any more: read the lists again. Everything from now on comes; its `id` is where.',
    },
  ),
  'notification.created': Type.Object(
    {
      notificationId: Id,
      notification: Type.Union([schemaRef(Notification), Type.Null()]),
    },
    { description: 'A new notification; null when it was deleted meanwhile. For accounts.' },
  ),
  'notification.read': Type.Object(
    { notificationId: nullable(Id) },
    { description: 'A notification was read; null: all of them. For accounts.' },
  ),
  'message.created': Type.Object(
    {
      conversationId: Id,
      messageId: Id,
      message: Type.Union([schemaRef(ConversationMessage), Type.Null()]),
    },
    {
      description:
        'A message of either side, as the GET of messages shows it to this side; null when it is gone. It counts as read by `read` alone.',
    },
  ),
  'message.read': Type.Object(
    { conversationId: Id, by: Side, upTo: Id },
    { description: 'What the other side of `by` wrote is read, up to this message.' },
  ),
  'conversation.ended': Type.Object(
    { conversationId: Id, by: stringEnum(['FINDER', 'OWNER', 'ADMINISTRATION']) },
    { description: 'Nobody can write in the conversation any more.' },
  ),
  typing: Type.Object(
    { conversationId: Id, side: Side },
    { description: 'The other side types. Stored nowhere.' },
  ),
  presence: Type.Object(
    { conversationId: Id, side: Side, isPresent: Type.Boolean() },
    { description: 'Whether the other side looks at the conversation now. Stored nowhere.' },
  ),
  pong: Type.Object({}, { description: 'The answer to `ping`.' }),
  error: Type.Object(
    {
      code: stringEnum(Object.keys(ERRORS), {
        description: 'From the table of errors: /api/docs/errors/<CODE>.',
      }),
      message: Type.String(),
      event: nullable(
        Type.String({ description: 'The event that is answered; null where it cannot be told.' }),
      ),
    },
    { description: 'An event of the client was not followed; the socket stays open.' },
  ),
} as const;

/** What each event that a client sends holds in `data`. */
export const CLIENT_EVENTS = {
  authenticate: Type.Object(
    {
      token: Type.Optional(Token),
      conversationToken: Type.Optional(Token),
      conversationId: Type.Optional(Id),
    },
    {
      description:
        'The credential, where the head of the request had none: within five seconds. An access `token`, or the `conversationToken` of a finder. With a fresh access token of the same account again before the old one ends.',
    },
  ),
  typing: Type.Object(
    { conversationId: Id },
    { description: 'This side types. Passed on once in two seconds.' },
  ),
  read: Type.Object(
    { conversationId: Id, upTo: Type.Optional(Id) },
    { description: 'What the other side wrote is read, up to this message; without it, all of it.' },
  ),
  watch: Type.Object(
    { conversationId: Id },
    {
      description:
        'This side looks at the conversation, which has not ended; answered by the `presence` of the other.',
    },
  ),
  unwatch: Type.Object({ conversationId: Id }, { description: 'It does not any more.' }),
  ping: Type.Object({}, { description: 'Is answered by `pong`.' }),
} as const;

export type ServerEventName = keyof typeof SERVER_EVENTS;
export type ClientEventName = keyof typeof CLIENT_EVENTS;

/** What an event of a client holds. */
export type ClientData<Name extends ClientEventName> = Static<(typeof CLIENT_EVENTS)[Name]>;

/** A message of a client, before its data was looked at. */
export const ClientMessage = Type.Object({
  event: Type.String({ maxLength: 64 }),
  data: Type.Optional(Type.Object({})),
});

const EventId = nullable(
  Type.String({
    description: 'What `since` takes after the socket is lost; null where the event is in no stream.',
  }),
);

/** Components of the OpenAPI document: one a direction. */
export const RealtimeServerEvent = Type.Unsafe<object>({
  $id: 'RealtimeServerEvent',
  description: 'A message of the service over /api/realtime.',
  oneOf: Object.entries(SERVER_EVENTS).map(([event, data]) =>
    Type.Object({ event: stringEnum([event]), data, id: EventId, at: Timestamp }),
  ),
});

export const RealtimeClientEvent = Type.Unsafe<object>({
  $id: 'RealtimeClientEvent',
  description: 'A message of a client over /api/realtime.',
  oneOf: Object.entries(CLIENT_EVENTS).map(([event, data]) =>
    Object.keys(data.properties).length === 0
      ? Type.Object({ event: stringEnum([event]), data: Type.Optional(data) })
      : Type.Object({ event: stringEnum([event]), data }),
  ),
});
