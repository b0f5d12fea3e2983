import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../shared/event-types.ts';

export interface OpenApiSource {
  info?: { title: string; version: string };
  components?: { schemas?: Record<string, object> };
}

interface EventSchema {
  properties: { event: { enum: [string] }; data: { description?: string } };
}

interface Message {
  name: string;
  title: string;
  summary?: string | undefined;
  payload: object;
  headers?: object;
}

const DESCRIPTION = `Events that the service sends: over the WebSocket to open applications, and as webhooks to programs. Both and notifications have their names from one catalogue: docs/reference/events.md. The OpenAPI document at /api/docs/json has all other operations.`;
const REALTIME_DESCRIPTION =
  'The credential is in a header, in a pair of subprotocols (`bearer, <token>` or `conversation, <token>`), or in a first event `authenticate`; never in the URL. Missed events come first with `since`.';
const WEBHOOKS_DESCRIPTION =
  'A POST to the `url` of a webhook endpoint, signed as Standard Webhooks describes. Answer 2xx within ten seconds.';

const SCHEMA_REF_PATTERN = /"#\/components\/schemas\/([^"]+)"/g;

const WEBHOOK_HEADERS = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { type: 'string', description: '`id` of the event; the same for each attempt.' },
    'webhook-timestamp': { type: 'string', description: 'Seconds since 1970, of the attempt.' },
    'webhook-signature': {
      type: 'string',
      description:
        '`v1,<HMAC-SHA-256 of id.timestamp.body, base64>`; one for each secret, with a space between.',
    },
  },
};

/** Create the AsyncAPI document of the WebSocket and of webhooks, with the schemas of the OpenAPI document. */
export function createAsyncApiDocument(openApi: OpenApiSource, publicBaseUrl: string) {
  const schemas = openApi.components?.schemas ?? {};
  const serverMessages = createRealtimeMessages('server', schemas.RealtimeServerEvent);
  const clientMessages = createRealtimeMessages('client', schemas.RealtimeClientEvent);
  const webhookMessages = Object.fromEntries(
    EVENT_TYPE_NAMES.map((type): [string, Message] => [
      `webhook.${type}`,
      {
        name: type,
        title: type,
        summary: EVENT_TYPES[type].meaning,
        headers: WEBHOOK_HEADERS,
        payload: {
          allOf: [
            { $ref: '#/components/schemas/AccountEvent' },
            { type: 'object', properties: { type: { const: type } } },
          ],
        },
      },
    ]),
  );
  const messages = { ...serverMessages, ...clientMessages, ...webhookMessages };
  const { protocol, host, pathname } = new URL(publicBaseUrl);
  return {
    asyncapi: '3.0.0',
    info: { title: openApi.info?.title, version: openApi.info?.version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host,
        protocol: protocol.replace('http', 'ws').slice(0, -1),
        ...(pathname === '/' ? {} : { pathname }),
        security: [
          { $ref: '#/components/securitySchemes/bearer' },
          { $ref: '#/components/securitySchemes/conversation' },
        ],
      },
      receiver: {
        host: '{host}',
        protocol: 'https',
        variables: { host: { description: 'Host of your webhook endpoint.' } },
      },
    },
    channels: {
      realtime: {
        address: '/api/realtime',
        description: REALTIME_DESCRIPTION,
        servers: [{ $ref: '#/servers/service' }],
        messages: createMessageRefs([...Object.keys(serverMessages), ...Object.keys(clientMessages)]),
        bindings: {
          ws: {
            method: 'GET',
            query: {
              type: 'object',
              properties: { since: { type: 'string', description: '`id` of the last event received.' } },
            },
          },
        },
      },
      webhooks: {
        address: '/',
        description: WEBHOOKS_DESCRIPTION,
        servers: [{ $ref: '#/servers/receiver' }],
        messages: createMessageRefs(Object.keys(webhookMessages)),
      },
    },
    operations: {
      sendRealtimeEvents: {
        summary: 'Events that the service sends over the WebSocket',
        ...createOperation('send', 'realtime', serverMessages),
      },
      receiveRealtimeEvents: {
        summary: 'Events that a client sends over the WebSocket',
        ...createOperation('receive', 'realtime', clientMessages),
      },
      sendWebhooks: {
        summary: 'Events that the service posts to a webhook endpoint',
        ...createOperation('send', 'webhooks', webhookMessages),
        bindings: { http: { method: 'POST' } },
      },
    },
    components: {
      messages,
      schemas: collectSchemas(schemas, messages),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Access token of a user.' },
        conversation: {
          type: 'httpApiKey',
          in: 'header',
          name: 'X-Conversation-Token',
          description: 'Token of a finder.',
        },
      },
    },
  };
}

function createRealtimeMessages(side: string, schema: object | undefined): Record<string, Message> {
  const events: EventSchema[] = Reflect.get(schema ?? {}, 'oneOf') ?? [];
  return Object.fromEntries(
    events.map((payload) => {
      const { event, data } = payload.properties;
      const [name] = event.enum;
      return [`${side}.${name}`, { name, title: name, summary: data.description, payload }];
    }),
  );
}

function createMessageRefs(keys: readonly string[]) {
  return Object.fromEntries(keys.map((key) => [key, { $ref: `#/components/messages/${key}` }]));
}

function createOperation(action: 'send' | 'receive', channel: string, messages: Record<string, Message>) {
  return {
    action,
    channel: { $ref: `#/channels/${channel}` },
    messages: Object.keys(messages).map((key) => ({ $ref: `#/channels/${channel}/messages/${key}` })),
  };
}

/** The schemas that are referred to, also by each other. */
function collectSchemas(schemas: Record<string, object>, value: object): Record<string, object> {
  const found: Record<string, object> = {};
  const visit = (part: object) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(SCHEMA_REF_PATTERN)) {
      const schema = schemas[name];
      if (!schema || name in found) continue;
      found[name] = schema;
      visit(schema);
    }
  };
  visit(value);
  return found;
}
