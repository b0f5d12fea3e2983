import { type Static, Type } from 'typebox';
import { AUDIT_ACTIONS, hideMalwareAuditChanges } from '../../audit-actions.ts';
import {
  findUserAuditReference,
  listAuditEntriesAboutUser,
  listAuditEntriesByUser,
  type UserAuditEntryRow,
} from '../../platform/audit-trail.repository.ts';
import {
  defineExportedList,
  definePersonalData,
  defineTableDeletedOnErasure,
  defineTableKeptOnErasure,
  type PersonalDataExportContext,
} from '../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { nullable, Timestamp } from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import { eraseDataExports } from './data-export.repository.ts';

const Text = Type.String();

const ExportedEvent = Type.Object({
  at: Timestamp,
  by: Type.String({ description: 'YOU, SOMEBODY_ELSE (with an account) or NOBODY_KNOWN.' }),
  action: Text,
  meaning: Type.String({ description: 'What happened, as a sentence.' }),
  outcome: Text,
  resourceType: Text,
  resourceId: nullable(Type.String({ description: 'Null for a user.' })),
  accountId: nullable(
    Type.String({ description: 'The organization that you acted for; null for yourself.' }),
  ),
  changes: Type.Array(Text, { description: 'Names of changed fields.' }),
  ip: nullable(Type.String({ description: 'Null for actions of others.' })),
  userAgent: nullable(Text),
});

type ExportedEvent = Static<typeof ExportedEvent>;

/** Tables of this feature, and the events of the audit trail, whose feature is composed later. */
export const exportAndErasurePersonalData = definePersonalData({
  tables: {
    data_exports: defineTableDeletedOnErasure(
      { not: 'the archives themselves' },
      { how: 'Every row of the account. Its file is removed with `stored_files`.', erase: eraseDataExports },
    ),
    deletions: defineTableDeletedOnErasure(
      { not: `ids of deleted records, kept for ${formatLifetime('deletedRecord')}` },
      { erase: createRowDeletionStep('deletions', 'account_id') },
    ),
    erasures: defineTableKeptOnErasure(
      'created by the erasure',
      'Prove that an account was erased, and when. The audit reference is cleared at the end.',
    ),
    erased_files: defineTableDeletedOnErasure(
      { not: 'created by the erasure' },
      { how: 'Each row after its file is deleted.' },
    ),
  },
  lists: {
    events: defineExportedList({
      item: ExportedEvent,
      description: 'Your own actions, then actions of others that concern you or your records.',
      read: readEvents,
    }),
  },
});

async function* readEvents({
  db,
  userId,
  batchSize,
}: PersonalDataExportContext): AsyncGenerator<ExportedEvent[]> {
  const reference = await findUserAuditReference(db, userId);
  if (!reference) return;
  for (const { isOwn, list } of [
    { isOwn: true, list: listAuditEntriesByUser },
    { isOwn: false, list: listAuditEntriesAboutUser },
  ])
    for (let after: TimeCursor | null = null; ; ) {
      const rows: UserAuditEntryRow[] = await list(db, reference, after, batchSize);
      yield rows.map((row) => toExportedEvent(row, isOwn));
      const last = rows.at(-1);
      after = last ? { at: last.createdAt, id: last.id } : null;
      if (rows.length < batchSize) break;
    }
}

/** Convert an audit entry. Other users are never named. */
function toExportedEvent(row: UserAuditEntryRow, isOwn: boolean): ExportedEvent {
  const { action, resourceType } = row;
  const otherActor = row.hasActor ? 'SOMEBODY_ELSE' : 'NOBODY_KNOWN';
  return {
    at: row.createdAt.toISOString(),
    by: isOwn ? 'YOU' : otherActor,
    action,
    meaning: Object.entries(AUDIT_ACTIONS).find(([name]) => name === action)?.[1].meaning ?? action,
    outcome: row.outcome,
    resourceType,
    resourceId: resourceType === 'USER' ? null : row.resourceId,
    accountId: row.accountId,
    changes: hideMalwareAuditChanges(action, row.changes),
    ip: row.ip,
    userAgent: row.userAgent,
  };
}
