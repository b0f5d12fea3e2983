import { formatShortNumber } from '../short-number.rules.ts';
import type { BatchRecord } from './batch.repository.ts';
import type { BatchTagRow } from './batch-tag.repository.ts';
import {
  BATCH_KINDS,
  BATCH_STATUSES,
  type BatchTagView,
  type BatchView,
  CLAIM_MODES,
} from './batches.schemas.ts';

export function getBatchPath(id: string): string {
  return `/api/batches/${id}`;
}

export function toBatchView(row: BatchRecord): BatchView {
  return {
    id: row.id,
    kind: BATCH_KINDS.find((kind) => kind === row.kind) ?? 'LUGGAGE',
    prefix: row.prefix,
    claim: CLAIM_MODES.find((claim) => claim === row.claim) ?? 'BY_CODE',
    status: BATCH_STATUSES.find((status) => status === row.status) ?? 'FAILED',
    count: row.size,
    created: row.created,
    counts: {
      printed: row.printed,
      handedOut: row.handedOut,
      scanned: row.scanned,
      claimed: row.claimed,
    },
    error: row.error as BatchView['error'],
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

export function toBatchTagView(row: BatchTagRow): BatchTagView {
  return {
    number: row.position,
    qrCodeId: row.qrCodeId,
    shortNumber: formatShortNumber(row.shortNumber),
    status: getTagStatus(row),
    printedAt: row.printedAt?.toISOString() ?? null,
    handedOutAt: row.handedOutAt?.toISOString() ?? null,
    scannedAt: row.scannedAt?.toISOString() ?? null,
    claimedAt: row.claimedAt?.toISOString() ?? null,
  };
}

export function getTagStatus({
  claimedAt,
  deleted,
  handedOutAt,
  printedAt,
}: Pick<BatchTagRow, 'claimedAt' | 'deleted' | 'handedOutAt' | 'printedAt'>): BatchTagView['status'] {
  if (claimedAt) return 'CLAIMED';
  if (deleted) return 'DELETED';
  if (handedOutAt) return 'HANDED_OUT';
  return printedAt ? 'PRINTED' : 'CREATED';
}
