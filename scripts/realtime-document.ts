import { CLIENT_EVENTS, SERVER_EVENTS } from '../src/features/realtime/realtime.schemas.ts';

const INTRODUCTION = `# Live: what happens, as it happens

<!-- Written by \`npm run docs:realtime\` from src/features/realtime/realtime.schemas.ts. -->

A WebSocket at \`/api/realtime\`. Messages are JSON texts in both directions. Those of the service are \`{ "event", "data", "id", "at" }\`, those of clients \`{ "event", "data" }\`. The OpenAPI document has both as \`RealtimeServerEvent\` and \`RealtimeClientEvent\`.

**Who.** An account hears what concerns it and its conversations. The finder of a conversation hears of that one conversation. The credential is, in this order:

| where | account | finder |
| --- | --- | --- |
| header of the request | \`Authorization: Bearer <access token>\` | \`X-Conversation-Token: <conversation token>\` |
| pair of subprotocols (browsers) | \`bearer, <access token>\` | \`conversation, <conversation token>\` |
| first event, within five seconds | \`{ "event": "authenticate", "data": { "token" } }\` | \`{ "event": "authenticate", "data": { "conversationToken" } }\` |

Never the address: a socket whose address carries a token is closed with 4401, even a valid one. The first event is \`ready\`; before it come only answers to what a socket sends that is not let in yet: \`pong\`, and \`error\`. An account sends \`authenticate\` again with a fresh token of the same account before the old one ends, or the socket is closed with 4401 when it does. So it is within a second after a log-out, whichever process served that.

**In order, and once.** What an account or a finder hears is one stream. Its events come in the order of their commits, whichever process they happened in; each has an \`id\`. After a socket is lost, open the next one with \`?since=<the last id that was not null>\`: what was missed comes first, each event once, then what happens now. Events are kept for seven days; where what was missed is not known any more there is a \`resync\` instead: read the lists again. \`typing\`, \`presence\`, \`pong\` and \`error\` are in no stream, have \`id\` null and are never repeated.

**Limits.** A message has 64 KiB at most (else 1009), and there are 20 a second (1008). An account or a conversation has 10 sockets and an address 50 (4429), in each process; RATE_LIMIT_SCALE multiplies these. A client that lets a mebibyte wait, or does not answer a ping within 30 seconds, is dropped. Pages of origins beside \`CORS_ORIGINS\` and our own are refused with 403 in production.

**How a socket ends.**

| code | why |
| --- | --- |
| 1001 | The process stops: connect again, with \`since\`. |
| 1008 | Too many messages, or too many wrong ones. |
| 1009 | A message was too large. |
| 1013 | The credential could not be looked at: connect again later. |
| 4401 | No valid credential, or not any more. |
| 4429 | Too many sockets. |
`;

/** docs/realtime.md: how the socket is used, and every event. */
export function createRealtimeDocument(): string {
  return [
    INTRODUCTION,
    '## What the service sends\n',
    renderEventTable(SERVER_EVENTS),
    '\n## What clients send\n',
    renderEventTable(CLIENT_EVENTS),
    '\nAnything else is answered by `error`, and the socket stays open.\n',
  ].join('\n');
}

interface SchemaField {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  anyOf?: readonly SchemaField[];
}

interface EventSchema {
  description?: string;
  properties: Record<string, unknown>;
  required?: readonly string[];
}

function renderEventTable(events: Readonly<Record<string, EventSchema>>): string {
  const rows = Object.entries(events).map(([event, { description = '', properties, required = [] }]) => {
    const fields = Object.entries(properties).map(
      ([name, field]) =>
        `\`${name}\`${required.includes(name) ? '' : '?'} ${formatType(field as SchemaField)}`,
    );
    return `| \`${event}\` | ${fields.join('; ')} | ${description} |`;
  });
  return ['| event | `data` | what it says |', '| --- | --- | --- |', ...rows].join('\n');
}

function formatType({ $ref, type, enum: words, anyOf }: SchemaField): string {
  if ($ref !== undefined) return `\`${$ref.replace('#', '')}\``;
  if (anyOf) return anyOf.map(formatType).join(' or ');
  if (words && words.length <= 4) return words.map((word) => String(word)).join(' or ');
  return [type ?? 'any'].flat().join(' or ');
}
