import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { type DeletionType, insertDeletion, removeDeletion } from '../../../platform/deletion.repository.ts';
import { moveRows } from '../../../platform/move-rows.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { OwnedQrCodeId } from '../owned-qrcode-id.ts';
import { publishQrCodeChange } from '../publish-change.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { assertQrCodeExternalIdFree, lockOwnQrCode } from '../read-own-qrcode.ts';
import {
  deleteAccountSide,
  deleteCareOfNewOwner,
  deleteHistory,
  deleteRenditions,
  lockAccountsForMove,
  measureMove,
  type QrCodeMove,
} from './move.repository.ts';
import { MOVED_TABLES } from './moved-tables.ts';

export type MoveServices = Pick<QrCodeServices, 'events' | 'fieldCipher' | 'files'> & {
  /** Locks the quota until COMMIT; storageBytes comes last. Throws PLAN_LIMIT_REACHED. */
  reserveQuota(
    tx: Tx,
    limit: 'qrCodes' | 'memoryTags' | 'storageBytes',
    accountId: string,
    amount?: number,
  ): Promise<void>;
};

/** Records that programs keep a copy of, by table. */
const DELETION_TYPES: Readonly<Record<string, DeletionType>> = {
  qr_codes: 'QRCODE',
  memory_tags: 'MEMORY_TAG',
  conversations: 'CONVERSATION',
};

/**
 * Move a code to another account with all that belongs to it. It keeps id, number, printed address, image and version. With
 * `CUT` its scans, conversations, caretakers, external ids and metadata are deleted. Nothing else of the transaction may
 * have locked a record of either account before.
 * @throws NOT_FOUND, PLAN_LIMIT_REACHED and EXTERNAL_ID_TAKEN of the new account, DATA_INTEGRITY, HISTORY_TOO_LONG unless
 * `moveScanHistory` of the feature scans has moved most scans before
 */
export async function moveQrCode(
  services: MoveServices,
  context: RequestContext,
  tx: Tx,
  move: QrCodeMove,
): Promise<void> {
  const { events, fieldCipher, files } = services;
  const { qrCodeId, fromAccountId, toAccountId, history } = move;
  if (fromAccountId === toAccountId) throw new Error('A code moves to another account.');
  if (!(await lockAccountsForMove(tx, move))) throw new ServiceError('NOT_FOUND');
  const row = await lockOwnQrCode(tx, { accountId: fromAccountId, id: qrCodeId });
  const { memoryTags, storageBytes } = await measureMove(tx, move);
  await services.reserveQuota(tx, 'qrCodes', toAccountId);
  if (memoryTags > 0) await services.reserveQuota(tx, 'memoryTags', toAccountId, memoryTags);
  if (storageBytes > 0) await services.reserveQuota(tx, 'storageBytes', toAccountId, storageBytes);
  if (history === 'KEEP') await assertQrCodeExternalIdFree(tx, { ...row, accountId: toAccountId });
  // The entry of the trail is about the data of whoever owns the code when it is written.
  await recordAuditEntry(tx, context, {
    action: 'QRCODE_TRANSFERRED',
    resourceId: qrCodeId,
    accountId: fromAccountId,
  });
  await publishQrCodeChange(events, tx, row, 'code.transferred');
  await deleteAccountSide(tx, move);
  if (history === 'CUT') await cutHistory(files, tx, move);
  await deleteCareOfNewOwner(tx, move);
  await files.remove(tx, await deleteRenditions(tx, move));
  await events.publish(tx, 'code.moved', move);
  for (const { rows, ...table } of MOVED_TABLES) {
    if (rows === undefined) continue;
    const ids = await moveRows(tx, fieldCipher, table, move, { text: rows, values: [qrCodeId] });
    const type = DELETION_TYPES[table.table];
    if (type === undefined) continue;
    for (const id of ids) {
      await insertDeletion(tx, { accountId: fromAccountId, type, id });
      await removeDeletion(tx, { accountId: toAccountId, type, id });
    }
  }
  await recordAuditEntry(tx, context, {
    action: 'QRCODE_RECEIVED',
    resourceId: qrCodeId,
    accountId: toAccountId,
  });
  await publishQrCodeChange(events, tx, { ...row, accountId: toAccountId }, 'code.transferred');
}

/**
 * Delete all that a move with `CUT` would delete of a code that stays in its account. The caller has locked the account and
 * the code.
 */
export async function deleteQrCodeHistory(
  { events, files }: Pick<MoveServices, 'events' | 'files'>,
  tx: Tx,
  { id, accountId }: OwnedQrCodeId,
): Promise<void> {
  const move = { qrCodeId: id, fromAccountId: accountId, toAccountId: accountId, history: 'CUT' as const };
  await deleteAccountSide(tx, move);
  await cutHistory(files, tx, move);
  await events.publish(tx, 'code.moved', move);
}

async function cutHistory(files: MoveServices['files'], tx: Tx, move: QrCodeMove): Promise<void> {
  const { conversationIds, fileIds } = await deleteHistory(tx, move);
  for (const id of conversationIds)
    await insertDeletion(tx, { accountId: move.fromAccountId, type: 'CONVERSATION', id });
  await files.remove(tx, fileIds);
}
