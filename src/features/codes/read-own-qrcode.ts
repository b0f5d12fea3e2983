import { hasRolePermission } from '../../permissions.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import { hasActiveBreakGlassGrant } from '../../platform/break-glass.repository.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { assertHealthDataReadable } from '../../platform/health-data.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { OwnedQrCodeId } from './owned-qrcode-id.ts';
import {
  findOwnQrCode,
  findQrCode,
  findQrCodeIdByExternalId,
  findQrCodeRelations,
  lockQrCodeRow,
  type QrCodeWithScanCounts,
} from './qrcode.repository.ts';

/** @throws NOT_FOUND */
export async function getOwnQrCode(db: Db, { accountId, id }: OwnedQrCodeId): Promise<QrCodeWithScanCounts> {
  const row = await findOwnQrCode(db, accountId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** @throws EXTERNAL_ID_TAKEN if another code of the owner has the id */
export async function assertQrCodeExternalIdFree(
  db: Db,
  { id, accountId, externalId }: OwnedQrCodeId & { externalId: string | null | undefined },
): Promise<void> {
  const taken = externalId ? await findQrCodeIdByExternalId(db, accountId, externalId) : null;
  if (taken !== null && taken !== id) throw new ServiceError('EXTERNAL_ID_TAKEN');
}

/** @throws NOT_FOUND */
export async function lockOwnQrCode(tx: Tx, owned: OwnedQrCodeId): Promise<QrCodeWithScanCounts> {
  await lockQrCodeRow(tx, owned.accountId, owned.id);
  return getOwnQrCode(tx, owned);
}

/** Audit in the same transaction; null without a grant. @throws DATA_INTEGRITY */
export async function readQrCodeByBreakGlass<Reading>(
  database: Database,
  context: RequestContext,
  id: string,
  read: (row: QrCodeWithScanCounts, tx: Tx) => Reading | Promise<Reading>,
): Promise<Reading | null> {
  const { user } = context;
  if (!user || !hasRolePermission(user.role, 'admin:break-glass')) return null;
  return database.transaction(async (tx) => {
    if (!(await hasActiveBreakGlassGrant(tx, user.id, 'QRCODE', id))) return null;
    const row = await findQrCode(tx, id);
    if (!row) return null;
    const result = await read({ ...row, ...(await findQrCodeRelations(tx, row)) }, tx);
    await recordAuditEntry(tx, context, { action: 'BREAK_GLASS_QRCODE_READ', resourceId: id });
    return result;
  });
}

/** Responses to changes are covered by the entry of the change. @throws FORBIDDEN for a role that reads no health data */
export async function recordMedicalAccess(
  tx: Tx,
  context: RequestContext,
  { id, kind }: { id: string; kind: string },
): Promise<void> {
  if (kind !== 'MEDICAL') return;
  assertHealthDataReadable(context);
  await recordAuditEntry(tx, context, { action: 'MEDICAL_DATA_READ', resourceId: id });
}

/** Audit that a stored response shows medical content again. */
export async function recordRepeatedMedicalAccess(
  { database }: { database: Database },
  context: RequestContext,
  code: { id: string; kind: string },
): Promise<void> {
  await database.transaction((tx) => recordMedicalAccess(tx, context, code));
}

/** Audit medical content in the same transaction. @throws NOT_FOUND, DATA_INTEGRITY, FORBIDDEN for a role that reads no health data */
export async function readOwnQrCode<Reading>(
  database: Database,
  context: RequestContext,
  owned: OwnedQrCodeId,
  read: (row: QrCodeWithScanCounts, tx: Tx) => Reading | Promise<Reading>,
  showsContent: (row: QrCodeWithScanCounts) => boolean = () => true,
): Promise<Reading> {
  return database.transaction(async (tx) => {
    const row = await getOwnQrCode(tx, owned);
    const result = await read(row, tx);
    if (showsContent(row)) await recordMedicalAccess(tx, context, row);
    return result;
  });
}
