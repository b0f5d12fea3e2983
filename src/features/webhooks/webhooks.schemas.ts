import { Type } from 'typebox';
import {
  createDateOrDateTimeSchema,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  repeatable,
  schemaRef,
  stringEnum,
  TIME_RANGE_FILTERS,
  Timestamp,
  VERSIONED_SCHEMA,
  withDefault,
} from '../../shared/common.schemas.ts';
import { formatDuration } from '../../shared/durations.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPE_PATTERNS } from '../../shared/event-types.ts';
import { ID_PATTERN } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { CursorQuery, createSortParam } from '../../shared/pagination.ts';
import { MAX_EXCERPT_BYTES } from './response-excerpt.rules.ts';
import { MAX_FAILING_MS } from './retry.rules.ts';
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export const DISABLED_REASONS = ['OWNER', 'FAILING', 'GONE'] as const;
export const DELIVERY_ERRORS = [
  'TIMEOUT',
  'NAME_NOT_RESOLVED',
  'ADDRESS_NOT_ALLOWED',
  'CERTIFICATE_INVALID',
  'CONNECTION_FAILED',
  'STATUS',
  'CHALLENGE_NOT_RETURNED',
] as const;
/** Why a delivery has no object. */
export const OBJECT_OMISSIONS = ['NOT_FOUND', 'MEDICAL', 'TOO_LARGE', 'UNREADABLE', 'NOT_ALLOWED'] as const;
export const EVENT_SORTS = ['-timestamp', 'timestamp'] as const;

const EventTypeName = stringEnum(EVENT_TYPE_NAMES);
export const EventTypePattern = stringEnum(EVENT_TYPE_PATTERNS);

const Url = Type.String({
  minLength: 8,
  maxLength: 2048,
  pattern: '^[!-~]*$',
  description:
    'An https URL with a host of the public DNS, at port 443 or from 1024 on. Outside production also `http://localhost`. Redirects are not followed.',
});
const EventTypes = Type.Array(EventTypePattern, {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'A type, all of a group (`scan.*`), or all (`*`).',
});
const Description = nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: NON_BLANK_LINE_PATTERN,
    description: 'What you call it.',
  }),
);

const Include = nullable(
  stringEnum(['object'], {
    description:
      '`object`: deliveries have the object of the event, in `data.object`, as you could read it by the API when they are sent. Null: ids only.',
  }),
);

export const NewWebhookEndpoint = Type.Object({
  url: Url,
  eventTypes: EventTypes,
  include: Type.Optional(Include),
  description: Type.Optional(Description),
});

export const WebhookEndpointChange = Type.Object({
  url: Type.Optional(Url),
  eventTypes: Type.Optional(EventTypes),
  include: Type.Optional(Include),
  description: Type.Optional(Description),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether events are sent to it.' })),
});

const endpointFields = {
  id: Id,
  url: Type.String(),
  eventTypes: Type.Array(EventTypePattern),
  include: Include,
  description: nullable(Type.String()),
  enabled: Type.Boolean(),
  disabledReason: nullable(
    stringEnum(DISABLED_REASONS, {
      description: `OWNER: by you. FAILING: only failures for ${formatDuration(MAX_FAILING_MS / 1000)}. GONE: it answered 410.`,
    }),
  ),
  verified: Type.Boolean({
    description:
      'Whether its address has returned the challenge, or did not have to. Until then no event is sent to it.',
  }),
  failingSince: nullable(Type.String({ ...Timestamp, description: 'First failure since the last success.' })),
  previousSecretExpiresAt: nullable({
    ...Timestamp,
    description: 'Until when the secret before the last rotation signs, too; null if it does not.',
  }),
  version: Type.Integer(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const WebhookEndpoint = Type.Object(endpointFields, { $id: 'WebhookEndpoint', ...VERSIONED_SCHEMA });

export const WebhookEndpointWithSecret = Type.Object(
  {
    ...endpointFields,
    secret: Type.String({ description: 'Signs deliveries (Standard Webhooks). Returned only this once.' }),
  },
  { $id: 'WebhookEndpointWithSecret', ...VERSIONED_SCHEMA },
);

export const WebhookVerification = Type.Object({
  challenge: Type.String({
    minLength: 1,
    maxLength: 200,
    description: '`data.challenge` of `webhook_endpoint.verification`.',
  }),
});

export const SecretRotation = Type.Object({
  overlapSeconds: withDefault(
    Type.Integer({
      minimum: 0,
      maximum: LIFETIMES_SECONDS.maxRotationOverlap,
      default: LIFETIMES_SECONDS.rotationOverlap,
      description: 'How long the previous secret still signs, too.',
    }),
  ),
});

const createIdSchema = (description: string) => Type.String({ pattern: ID_PATTERN, description });

export const AccountEvent = Type.Object(
  {
    id: Id,
    type: EventTypeName,
    timestamp: Timestamp,
    data: Type.Object(
      {
        id: Id,
        path: Type.String({ description: 'Path of the API that reads the object.' }),
        qrCodeId: Type.Optional(createIdSchema('Of `scan.*`, `message.created` and `guest_book.signed`.')),
        conversationId: Type.Optional(createIdSchema('Of `message.created`.')),
        memoryTagId: Type.Optional(createIdSchema('Of `guest_book.signed`.')),
        versionId: Type.Optional(createIdSchema('Of `document.infected`.')),
        challenge: Type.Optional(
          Type.String({
            description: 'Of `webhook_endpoint.verification`, only as it is sent: the body to respond with.',
          }),
        ),
        object: Type.Optional(
          nullable(
            Type.Object(
              {},
              {
                additionalProperties: true,
                description:
                  'Only as it is sent to an endpoint with `include`: what the event is about, as the API shows it then.',
              },
            ),
          ),
        ),
        objectOmitted: Type.Optional(
          stringEnum(OBJECT_OMISSIONS, {
            description:
              'Why `object` is null. MEDICAL: a medical code or health document. TOO_LARGE: above 128 KiB. UNREADABLE: it failed its integrity check. NOT_ALLOWED: API keys cannot read it now, such as without a second factor that is required.',
          }),
        ),
        version: Type.Optional(
          Type.Integer({ description: 'Of a code that was created, changed, deleted or restored.' }),
        ),
      },
      { additionalProperties: true, description: 'Ids only.' },
    ),
  },
  { $id: 'AccountEvent', description: 'Also the body of a delivery.' },
);

export const WebhookDelivery = Type.Object(
  {
    event: schemaRef(AccountEvent),
    status: stringEnum(DELIVERY_STATUSES, { description: 'FAILED: no attempts are left.' }),
    nextAttemptAt: nullable(Timestamp),
    attempts: Type.Array(
      Type.Object({
        at: Timestamp,
        statusCode: nullable(Type.Integer()),
        error: nullable(
          stringEnum(DELIVERY_ERRORS, {
            description: 'STATUS: not 2xx. CHALLENGE_NOT_RETURNED: 2xx with another body.',
          }),
        ),
        durationMs: Type.Integer(),
        response: nullable(
          Type.Object(
            {
              contentType: nullable(Type.String()),
              body: nullable(
                Type.String({
                  description: `The first ${MAX_EXCERPT_BYTES} bytes; null if they are no text. Control characters are replaced.`,
                }),
              ),
              truncated: Type.Boolean(),
            },
            { description: 'Null without a response, and for the challenge of an address.' },
          ),
        ),
      }),
      { description: 'The last 20, oldest first.' },
    ),
    createdAt: Timestamp,
  },
  { $id: 'WebhookDelivery' },
);

export const DeliveryQuery = Type.Object({
  ...CursorQuery.properties,
  status: Type.Optional(repeatable(stringEnum(DELIVERY_STATUSES), 'Any of these statuses.')),
});

export const EventQuery = Type.Object({
  ...CursorQuery.properties,
  type: Type.Optional(
    repeatable(EventTypePattern, 'Any of these types; `scan.*` for all of a group, `*` for all.'),
  ),
  ...TIME_RANGE_FILTERS,
  sort: createSortParam(EVENT_SORTS),
});

export const ReplayRequest = Type.Object({
  from: createDateOrDateTimeSchema('Start, inclusive. A date without a time is a day in your time zone.'),
  to: Type.Optional(createDateOrDateTimeSchema('End, exclusive; now if omitted.')),
  includeDelivered: withDefault(
    Type.Boolean({
      default: false,
      description: 'Whether to repeat what the endpoint has received.',
    }),
  ),
});

export const ReplayResult = Type.Object(
  {
    count: Type.Integer({ description: 'Deliveries that are sent again.' }),
    nextFrom: nullable(
      Type.String({ ...Timestamp, description: '`from` of the next request; null after the last event.' }),
    ),
  },
  { $id: 'WebhookReplay' },
);
