import { Type } from 'typebox';
import {
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_TEXT_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';

export const MODERATION_CATEGORIES = ['FRAUD', 'HARASSMENT', 'ILLEGAL', 'PRIVACY', 'OTHER'] as const;

export type ModerationCategory = (typeof MODERATION_CATEGORIES)[number];

export const APPEAL_DECISIONS = ['REINSTATED', 'REJECTED'] as const;

export type AppealDecision = (typeof APPEAL_DECISIONS)[number];

export const MAX_MODERATION_TEXT_CHARACTERS = 2_000;

export const createModerationTextSchema = (description: string) =>
  Type.String({ maxLength: MAX_MODERATION_TEXT_CHARACTERS, pattern: NON_BLANK_TEXT_PATTERN, description });

export const ModerationCategorySchema = stringEnum(MODERATION_CATEGORIES);

const Appeal = Type.Object({
  id: Id,
  message: Type.String(),
  decision: nullable(stringEnum(APPEAL_DECISIONS, { description: 'Null while the appeal is open.' })),
  answer: nullable(Type.String({ description: 'The answer of the administrator.' })),
  decidedAt: nullable(Timestamp),
  createdAt: Timestamp,
});

export const QrCodeTakedown = Type.Object(
  {
    id: Id,
    qrCodeId: Id,
    accountId: Id,
    category: ModerationCategorySchema,
    reason: Type.String({ description: 'What the administrator wrote to the owner.' }),
    takenDownAt: Timestamp,
    endedAt: nullable({
      ...Timestamp,
      description: 'When the code was reinstated; null while it is taken down.',
    }),
    appeals: Type.Array(Appeal, { description: 'The last ten, newest first.' }),
  },
  { $id: 'QrCodeTakedown', description: 'The last takedown of a code by administrators.' },
);

export const MAX_REPORT_NOTE_CHARACTERS = 500;

export const QrCodeReportRequest = Type.Object({
  category: ModerationCategorySchema,
  note: Type.Optional(
    nullable(Type.String({ maxLength: MAX_REPORT_NOTE_CHARACTERS, pattern: FREE_TEXT_PATTERN })),
  ),
});

export const AppealRequest = Type.Object({
  message: createModerationTextSchema('Why the code should be reinstated, or what you have changed.'),
});
