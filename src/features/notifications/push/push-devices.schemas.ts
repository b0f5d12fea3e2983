import { Type } from 'typebox';
import {
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
} from '../../../shared/common.schemas.ts';

export const PUSH_PLATFORMS = ['ANDROID', 'IOS', 'WEB'] as const;

export const NewPushDevice = Type.Object({
  token: Type.String({
    minLength: 16,
    maxLength: 4096,
    pattern: '^[!-~]*$',
    description: 'Firebase Cloud Messaging registration token. It is never returned.',
  }),
  platform: stringEnum(PUSH_PLATFORMS),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: NON_BLANK_LINE_PATTERN,
      description: 'Name of the device.',
    }),
  ),
});

export const PushDevice = Type.Object(
  {
    id: Id,
    platform: stringEnum(PUSH_PLATFORMS),
    name: nullable(Type.String()),
    current: Type.Boolean({ description: 'Whether it belongs to the session of this request.' }),
    createdAt: Timestamp,
    lastUsedAt: Type.String({ ...Timestamp, description: 'Time of the last registration.' }),
  },
  { $id: 'PushDevice' },
);

export const TestPush = Type.Object(
  {
    id: Id,
    status: stringEnum(['SENT', 'FAILED']),
    reason: nullable(Type.String({ description: 'Why it failed.' })),
  },
  { $id: 'TestPush' },
);
