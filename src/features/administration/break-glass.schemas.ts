import { Type } from 'typebox';
import {
  ACCOUNT_FIELDS,
  FREE_TEXT_PATTERN,
  Id,
  nullable,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';

export const BREAK_GLASS_RESOURCE_TYPES = ['QRCODE', 'SCAN'] as const;

export const BreakGlassRequest = Type.Object({
  resourceType: stringEnum(BREAK_GLASS_RESOURCE_TYPES),
  resourceId: Id,
  reason: Type.String({
    minLength: 10,
    maxLength: 1000,
    pattern: FREE_TEXT_PATTERN,
    description:
      'The reason for the emergency access, with at least 10 letters or digits. Stored encrypted and visible to auditors.',
  }),
});

export const BreakGlassGrant = Type.Object(
  {
    id: Id,
    resourceType: stringEnum(BREAK_GLASS_RESOURCE_TYPES),
    resourceId: Id,
    expiresAt: Timestamp,
  },
  {
    $id: 'BreakGlassGrant',
    description: `Emergency access of an administrator to one record for ${formatLifetime('breakGlass')}.`,
  },
);

export const BreakGlassEntry = Type.Object(
  {
    ...BreakGlassGrant.properties,
    administratorId: Id,
    ...ACCOUNT_FIELDS,
    reason: nullable(Type.String()),
    reasonUnreadable: Type.Boolean({
      description:
        'Whether the stored reason failed its integrity check. It is null then, and the failure is audited.',
    }),
    createdAt: Timestamp,
  },
  { $id: 'BreakGlassEntry', description: 'An emergency access grant with its reason.' },
);
