import { type Static, Type } from 'typebox';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import {
  defineExportedRows,
  definePersonalData,
  defineTableDeletedOnErasure,
  type PersonalDataViewContext,
} from '../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { decryptModerationText } from './encrypted-moderation-fields.ts';
import { findTakedownsByIds } from './personal-data.repository.ts';

const Text = Type.String();

const ExportedTakedown = Type.Object({
  id: Id,
  qrCodeId: Id,
  category: Text,
  reason: nullable(
    Type.String({ description: 'Null if it fails the integrity check, like the other texts.' }),
  ),
  takenDownAt: Timestamp,
  endedAt: nullable(Timestamp),
  appeals: Type.Array(
    Type.Object({
      message: nullable(Text),
      decision: nullable(Text),
      answer: nullable(Text),
      decidedAt: nullable(Timestamp),
      createdAt: Timestamp,
    }),
  ),
});

type TakedownWithAppeals = Awaited<ReturnType<typeof findTakedownsByIds>>[number];

export const moderationPersonalData = definePersonalData({
  tables: {
    qr_code_takedowns: defineTableDeletedOnErasure(
      { in: 'takedowns' },
      {
        erase: createRowDeletionStep('qr_code_takedowns', 'account_id'),
        size: { users: ['account_id'], bytes: 'octet_length(reason)' },
      },
    ),
    qr_code_reports: defineTableDeletedOnErasure(
      { not: 'written by others, who stay unknown to the owner' },
      { erase: createRowDeletionStep('qr_code_reports', 'account_id') },
    ),
    qr_code_appeals: defineTableDeletedOnErasure(
      { in: 'takedowns' },
      {
        how: 'With their takedowns.',
        size: { users: ['account_id'], bytes: 'octet_length(message) + coalesce(octet_length(answer), 0)' },
      },
    ),
  },
  lists: {
    takedowns: defineExportedRows({
      item: ExportedTakedown,
      description: 'Codes that administrators took down, with your appeals, newest first.',
      sources: [{ table: 'qr_code_takedowns', user: 'account_id', at: 'created_at' }],
      findByIds: findTakedownsByIds,
      toItem: toExportedTakedown,
    }),
  },
});

function toExportedTakedown(
  { fieldCipher, onIntegrityFailure }: PersonalDataViewContext,
  row: TakedownWithAppeals,
): Static<typeof ExportedTakedown> {
  const read = (
    column: Parameters<typeof decryptModerationText>[1],
    of: { id: string; accountId: string },
    content: Uint8Array | null,
  ) =>
    content &&
    readOrReportIntegrityFailure(
      () => decryptModerationText(fieldCipher, column, of, content),
      onIntegrityFailure,
    );
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    category: row.category,
    reason: read('takedownReason', row, row.reason),
    takenDownAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    appeals: row.appeals.map((appeal) => ({
      message: read('appealMessage', appeal, appeal.message),
      decision: appeal.decision,
      answer: read('appealAnswer', appeal, appeal.answer),
      decidedAt: appeal.decidedAt?.toISOString() ?? null,
      createdAt: appeal.createdAt.toISOString(),
    })),
  };
}
