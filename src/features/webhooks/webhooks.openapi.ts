import { EVENT_OBJECT_SCHEMAS } from '../../platform/event-objects.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, getEventGroup } from '../../shared/event-types.ts';

const HEADERS = {
  'webhook-id': '`id` of the event; the same for each attempt.',
  'webhook-timestamp': 'Seconds since 1970, of the attempt.',
  'webhook-signature':
    '`v1,<HMAC-SHA-256 of id.timestamp.body, base64>`; one for each secret, with a space between.',
};

const PARAMETERS = Object.entries(HEADERS).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

const RECEIVED = {
  description: 'Received. Answer within ten seconds; other statuses are tried again for three days.',
};

const CHALLENGE_RESPONSE = {
  description: 'The value of `data.challenge`, as text or as JSON, within ten seconds. It is sent once.',
  content: {
    'text/plain': { schema: { type: 'string' } },
    'application/json': {
      schema: { type: 'object', properties: { challenge: { type: 'string' } }, required: ['challenge'] },
    },
  },
};

/** Describe what is posted to webhook endpoints, one entry for each type of event. */
export function addWebhooksToOpenApi(document: Record<string, unknown>): Record<string, unknown> {
  const components = Object(document.components);
  const parameters = Object.fromEntries(
    PARAMETERS.map((parameter) => [toPascalCase(parameter.name), parameter]),
  );
  return {
    ...document,
    webhooks: Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, { post: describeDelivery(type) }])),
    components: { ...components, parameters: { ...components.parameters, ...parameters } },
  };
}

function describeDelivery(type: EventType) {
  const payload = {
    allOf: [
      { $ref: '#/components/schemas/AccountEvent' },
      { type: 'object', properties: { type: { const: type }, ...describeObject(type) } },
    ],
  };
  return {
    operationId: `webhooks.on${toPascalCase(type)}`,
    tags: ['Webhooks'],
    summary: EVENT_TYPES[type].meaning.replace(/\.$/, ''),
    description: 'Signed as Standard Webhooks describes.',
    security: [],
    parameters: PARAMETERS.map(({ name }) => ({ $ref: `#/components/parameters/${toPascalCase(name)}` })),
    requestBody: { required: true, content: { 'application/json': { schema: payload } } },
    responses: { '2XX': type === 'webhook_endpoint.verification' ? CHALLENGE_RESPONSE : RECEIVED },
  };
}

/** A challenge has no object. */
function describeObject(type: EventType) {
  if (type === 'webhook_endpoint.verification') return {};
  const object = { $ref: `#/components/schemas/${EVENT_OBJECT_SCHEMAS[getEventGroup(type)]}` };
  return {
    data: {
      type: 'object',
      properties: { object: { anyOf: [object, { type: 'null' }] } },
    },
  };
}

function toPascalCase(name: string): string {
  return name.replace(/(?:^|[._-])([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
