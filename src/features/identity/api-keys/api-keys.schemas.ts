import { Type } from 'typebox';
import { API_KEY_SCOPES } from '../../../permissions.ts';
import { ACCOUNT_ROLES } from '../../../shared/account-roles.ts';
import {
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
  withDefault,
} from '../../../shared/common.schemas.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { API_KEY_STATUSES, API_KEY_STOP_REASONS } from './api-key-status.rules.ts';

export const ApiKeyScopeSchema = Type.Unsafe<(typeof API_KEY_SCOPES)[number]>({
  $id: 'ApiKeyScope',
  type: 'string',
  enum: [...API_KEY_SCOPES],
  description: 'What a key may do: GET needs the scope for reading, all else the one for writing.',
});

const ExpiryInput = Type.Optional(
  nullable(Type.String({ format: 'date-time', description: 'When the key stops working; null for never.' })),
);

export const ApiKeyRequest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: NON_BLANK_LINE_PATTERN }),
  scopes: Type.Array(Type.Unsafe<(typeof API_KEY_SCOPES)[number]>({ $ref: 'ApiKeyScope#' }), {
    minItems: 1,
    maxItems: API_KEY_SCOPES.length,
    uniqueItems: true,
  }),
  allowedNetworks: Type.Optional(
    Type.Array(Type.String({ maxLength: 49 }), {
      maxItems: 20,
      description: 'IP addresses and CIDR ranges that the key may be used from; all by default.',
    }),
  ),
  expiresAt: ExpiryInput,
});

export const ApiKeyRotationRequest = Type.Object({
  overlapSeconds: withDefault(
    Type.Integer({
      minimum: 0,
      maximum: LIFETIMES_SECONDS.maxRotationOverlap,
      default: LIFETIMES_SECONDS.rotationOverlap,
      description: 'How long the previous token still works.',
    }),
  ),
  expiresAt: ExpiryInput,
});

const apiKeyProperties = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'First characters of the token, to recognize it.' }),
  scopes: Type.Array(Type.String()),
  allowedNetworks: Type.Array(Type.String(), { description: 'CIDR ranges; empty for all networks.' }),
  status: stringEnum(API_KEY_STATUSES, {
    description: 'STOPPED: it does not work until an owner or a manager takes it over.',
  }),
  stopReason: nullable(
    stringEnum(API_KEY_STOP_REASONS, {
      description:
        'Of STOPPED: its member left the account, is suspended, or lost the role that the key needs.',
    }),
  ),
  role: stringEnum(ACCOUNT_ROLES, {
    description: 'What it may do in the account: the lower of its own role and that of its member.',
  }),
  createdBy: Type.Object(
    { id: Id, name: nullable(Type.String({ description: 'Null for an erased user.' })) },
    { description: 'The member who made it or took it over.' },
  ),
  lastUsedAt: nullable({ ...Timestamp, description: 'To the minute; null if never.' }),
  previousTokenExpiresAt: nullable({
    ...Timestamp,
    description: 'Until when the token before the last rotation works; null if it does not.',
  }),
  rotatedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  revokedAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const ApiKeySchema = Type.Object(apiKeyProperties, {
  $id: 'ApiKey',
  description: `A credential of a program. It is listed until ${LIFETIMES_SECONDS.endedApiKey / DAY_SECONDS} days after its end.`,
});

export const ApiKeyWithTokenSchema = Type.Object(
  {
    ...apiKeyProperties,
    token: Type.String({ description: 'Returned only once; the service stores a hash.' }),
  },
  { $id: 'ApiKeyWithToken' },
);
