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
    description: 'What Firebase Cloud Messaging gave the application on this device. It is never shown.',
  }),
  platform: stringEnum(PUSH_PLATFORMS),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: NON_BLANK_LINE_PATTERN,
      description: 'What its person calls it.',
    }),
  ),
});

export const PushDevice = Type.Object(
  {
    id: Id,
    platform: stringEnum(PUSH_PLATFORMS),
    name: nullable(Type.String()),
    current: Type.Boolean({ description: 'Whether it registered in the session of this request.' }),
    createdAt: Timestamp,
    lastUsedAt: Type.String({ ...Timestamp, description: 'When it registered last.' }),
  },
  { $id: 'PushDevice' },
);
