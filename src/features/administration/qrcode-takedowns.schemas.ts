import { Type } from 'typebox';
import {
  ACCOUNT_FIELDS,
  Id,
  nullable,
  repeatable,
  schemaRef,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';
import {
  APPEAL_DECISIONS,
  createModerationTextSchema,
  ModerationCategorySchema,
  QrCodeTakedown,
} from '../moderation/index.ts';

export const TakedownRequest = Type.Object({
  category: ModerationCategorySchema,
  reason: createModerationTextSchema(
    'For the owner, who gets it by email and can read it. Name no reporter.',
  ),
});

const Answer = Type.Optional(
  nullable(createModerationTextSchema('For the owner, who gets it by email and can read it.')),
);

export const ReinstatementRequest = Type.Object({ answer: Answer });

export const AppealDecisionRequest = Type.Object({ decision: stringEnum(APPEAL_DECISIONS), answer: Answer });

const AppealStatus = stringEnum(['OPEN', 'DECIDED'], {
  description: 'OPEN until an administrator decides.',
});

export const AdminAppealQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(repeatable(AppealStatus, 'Any of these statuses.')),
});

const appealProperties = {
  id: Id,
  qrCodeId: Id,
  ...ACCOUNT_FIELDS,
  category: ModerationCategorySchema,
  status: AppealStatus,
  decision: nullable(stringEnum(APPEAL_DECISIONS)),
  takenDownAt: Timestamp,
  decidedAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const AdminAppeal = Type.Object(appealProperties, {
  $id: 'AdminAppeal',
  description: 'An appeal against the takedown of a code, without texts.',
});

export const AdminAppealDetails = Type.Object(
  {
    ...appealProperties,
    message: Type.String({ description: 'What the owner wrote.' }),
    answer: nullable(Type.String()),
    takedown: schemaRef(QrCodeTakedown),
  },
  { $id: 'AdminAppealDetails', description: 'An appeal with its texts and the takedown.' },
);
