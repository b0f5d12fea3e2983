import { CLIENT_EVENT_SCHEMAS, SERVER_EVENT_SCHEMAS } from '../../src/features/realtime/realtime.schemas.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, NOTIFICATION_ONLY_EVENTS } from '../../src/shared/event-types.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

const INTRODUCTION = `
An event has one name, \`group.what_happened\`, for webhooks, \`GET /api/events\`, the WebSocket, notifications and their preferences. [Webhooks](../guides/webhooks.md) and \`GET /api/events\` have events for programs, the WebSocket those for an open application. A running service has all of them as AsyncAPI at \`/api/docs/asyncapi\`.

## Events for webhooks

\`data\` has the id of the object, those of what it belongs to, and the \`path\` of the API that reads it.
`;

const NOTIFICATIONS = `
## Events for notifications only

\`event\` of a [notification](../guides/notifications.md) is one of the names above or one of these. No webhook is sent for them. A notification of what webhooks get by another name says so here.
`;

const REALTIME = `
## Events of the WebSocket

The WebSocket at \`/api/realtime\` sends and takes JSON texts. [Realtime](../guides/realtime.md) explains how to connect.

| direction | form |
| --- | --- |
| from the service | \`{ "event", "data", "id", "at" }\` (schema \`RealtimeServerEvent\`) |
| from clients | \`{ "event", "data" }\` (schema \`RealtimeClientEvent\`) |

Both schemas are in the OpenAPI document. \`?\` marks a field that may be absent.
`;

const CREDENTIALS = `
## Credentials

The first that is present counts.

| where | user | finder |
| --- | --- | --- |
| header of the request | \`Authorization: Bearer <access token>\` | \`X-Conversation-Token: <conversation token>\` |
| pair of subprotocols (browsers) | \`bearer, <access token>\` | \`conversation, <conversation token>\` |
| first event, within five seconds | \`{ "event": "authenticate", "data": { "token" } }\` | \`{ "event": "authenticate", "data": { "conversationToken" } }\` |

- A token in the address closes the socket with 4401, even a valid one.
- A user sends \`authenticate\` with a fresh token before the old one expires. Otherwise the socket is closed with 4401.
- A logout closes the socket within a second.
`;

const STREAM = `
## Order and repetition

- A user or a finder has one stream. Its events come in the order of their commits, and each has an \`id\`.
- After a lost connection, connect with \`?since=<last id that was not null>\`. Missed events come first, each once.
- Events are kept for seven days. \`resync\` is sent when the missed events are no longer known: read the lists again.
- \`scan.created\`, \`scan.located\`, \`import.progress\`, \`typing\`, \`presence\`, \`pong\` and \`error\` are outside of the stream. Their \`id\` is null, and they are never repeated.
`;

const LIMITS = `
## Limits

| limit | value | close code |
| --- | --- | --- |
| size of a message | 64 KiB | 1009 |
| messages per second | 20 | 1008 |
| sockets per user or conversation, in each process | 10 | 4429 |
| sockets per address, in each process | 50 | 4429 |
| data that a client has not read | 1 MiB | dropped |
| answer to a ping | 30 seconds | dropped |

\`RATE_LIMIT_SCALE\` multiplies the numbers of messages and sockets. In production the handshake answers 403 to pages of origins other than the service and \`CORS_ORIGINS\`.

## Close codes

| code | meaning |
| --- | --- |
| 1001 | The process stops. Connect again with \`since\`. |
| 1008 | Too many messages, or too many invalid ones. |
| 1009 | A message was too large. |
| 1013 | The credential could not be checked. Connect again later. |
| 4401 | The credential is missing, invalid or no longer valid. |
| 4429 | Too many sockets. |
`;

/** Format docs/reference/events.md: every event of webhooks and of the WebSocket. */
export function formatEvents(): string {
  return formatDocument(
    'Events',
    INTRODUCTION,
    formatTable(
      ['type', 'meaning'],
      EVENT_TYPE_NAMES.map((name) => [code(name), EVENT_TYPES[name].meaning]),
    ),
    NOTIFICATIONS,
    formatTable(
      ['event', 'meaning'],
      Object.entries(NOTIFICATION_ONLY_EVENTS).map(([name, meaning]) => [code(name), meaning]),
    ),
    REALTIME,
    '## Events of the service',
    formatEventTable(SERVER_EVENT_SCHEMAS),
    '## Events of clients',
    formatEventTable(CLIENT_EVENT_SCHEMAS),
    'Anything else is answered by `error`, and the socket stays open.',
    CREDENTIALS,
    STREAM,
    LIMITS,
  );
}

interface Field {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  anyOf?: readonly Field[];
}

interface EventData {
  description?: string;
  properties: Record<string, unknown>;
  required?: readonly string[];
}

function formatEventTable(events: Readonly<Record<string, EventData>>): string {
  const rows = Object.entries(events).map(([event, { description = '', properties, required = [] }]) => {
    const fields = Object.entries(properties).map(
      ([name, field]) => `${code(name)}${required.includes(name) ? '' : '?'} ${formatType(field as Field)}`,
    );
    return [code(event), fields.join('; '), description];
  });
  return formatTable(['event', '`data`', 'meaning'], rows);
}

function formatType({ $ref, type, enum: values, anyOf }: Field): string {
  if ($ref !== undefined) return code($ref.replace('#', ''));
  if (anyOf) return anyOf.map(formatType).join(' or ');
  if (values && values.length <= 4) return values.map(String).join(' or ');
  return [type ?? 'any'].flat().join(' or ');
}
