import { Type } from 'typebox';
import { FREE_TEXT_PATTERN, Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';

export const BREAK_GLASS_RESOURCE_TYPES = ['QRCODE', 'SCAN'] as const;

export const BreakGlassRequest = Type.Object({
  resourceType: stringEnum(BREAK_GLASS_RESOURCE_TYPES),
  resourceId: Id,
  reason: Type.String({
    minLength: 10,
    maxLength: 1000,
    pattern: FREE_TEXT_PATTERN,
    description: 'What the emergency is, with ten letters or digits at least. Kept encrypted, for auditors.',
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
    description: 'One record that an administrator may read for a quarter of an hour.',
  },
);

export const BreakGlassEntry = Type.Object(
  {
    ...BreakGlassGrant.properties,
    administratorId: Id,
    ownerId: Id,
    reason: nullable(Type.String()),
    reasonDamaged: Type.Boolean({
      description:
        'Whether the stored reason failed its integrity check: it is null then, and the trail says so.',
    }),
    createdAt: Timestamp,
  },
  { $id: 'BreakGlassEntry', description: 'Who broke the glass, for what and why.' },
);
