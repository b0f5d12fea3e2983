import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { decryptModerationText } from './encrypted-moderation-fields.ts';
import {
  APPEAL_DECISIONS,
  MODERATION_CATEGORIES,
  type ModerationCategory,
  type QrCodeTakedown,
} from './moderation.schemas.ts';
import type { TakedownRow } from './takedown.repository.ts';

/** Decrypt a takedown and its appeals for the owner. @throws DATA_INTEGRITY */
export function toTakedownView(fieldCipher: FieldCipher, row: TakedownRow): Static<typeof QrCodeTakedown> {
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    accountId: row.accountId,
    category: parseModerationCategory(row.category),
    reason: decryptModerationText(fieldCipher, 'takedownReason', row, row.reason),
    takenDownAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    appeals: row.appeals.map((appeal) => toAppealView(fieldCipher, appeal)),
  };
}

/** @throws DATA_INTEGRITY */
export function toAppealView(
  fieldCipher: FieldCipher,
  appeal: TakedownRow['appeals'][number],
): Static<typeof QrCodeTakedown>['appeals'][number] {
  return {
    id: appeal.id,
    message: decryptModerationText(fieldCipher, 'appealMessage', appeal, appeal.message),
    decision: parseAppealDecision(appeal.decision),
    answer: appeal.answer && decryptModerationText(fieldCipher, 'appealAnswer', appeal, appeal.answer),
    decidedAt: appeal.decidedAt?.toISOString() ?? null,
    createdAt: appeal.createdAt.toISOString(),
  };
}

export function parseModerationCategory(category: string): ModerationCategory {
  return MODERATION_CATEGORIES.find((one) => one === category) ?? 'OTHER';
}

export function parseAppealDecision(decision: string | null) {
  return APPEAL_DECISIONS.find((one) => one === decision) ?? null;
}
