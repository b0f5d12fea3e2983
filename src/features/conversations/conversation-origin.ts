import type { Database, Db, Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { findPublicQrCode, getCurrentQrCodeStatus } from '../codes/index.ts';
import { assertQrCodeNotWithheld, findScan, isQrCodeOpen, isValidScanToken } from '../scans/index.ts';
import type { ConversationRow } from './conversation.repository.ts';

export interface ConversationOrigin {
  /** Id of the scan, or a new id if no scan can be recorded. */
  id: string;
  isScan: boolean;
  qrCode: {
    id: string;
    accountId: string;
    kind: string;
    title: string;
    status: string;
    expiresAt: Date | null;
    contactable: boolean;
  };
}

interface ResolvedOrigin {
  qrCodeId: string;
  resolveOrigin(tx: Tx): Promise<ConversationOrigin>;
}

interface OriginInput {
  scanId?: string | undefined;
  qrCodeId?: string | undefined;
}

export function findOriginErrors({ scanId, qrCodeId }: OriginInput): FieldError[] {
  if (scanId === undefined && qrCodeId === undefined)
    return [{ field: 'scanId', code: 'REQUIRED', message: 'Is required.' }];
  if (scanId === undefined || qrCodeId === undefined) return [];
  return [{ field: 'qrCodeId', code: 'NOT_ALLOWED', message: 'Must not be combined with scanId.' }];
}

/**
 * Resolve the scan, or the closed code, that a new conversation is about.
 * @throws NOT_FOUND, SCAN_TOKEN_INVALID, VALIDATION_FAILED
 */
export async function resolveConversationOrigin(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  { scanId, qrCodeId }: OriginInput,
  scanToken: string | string[] | undefined,
): Promise<ResolvedOrigin> {
  if (qrCodeId !== undefined)
    return { qrCodeId, resolveOrigin: (tx) => createClosedCodeOrigin(tx, qrCodeId) };
  if (scanId === undefined) throw createValidationError(...findOriginErrors({}));
  const scan = await findScan(database.client, scanId);
  if (!scan || scan.qrCode.status === 'DELETED') throw new ServiceError('NOT_FOUND');
  assertQrCodeNotWithheld(scan.qrCode);
  if (!isValidScanToken(fieldCipher, scan, scanToken)) throw new ServiceError('SCAN_TOKEN_INVALID');
  return { qrCodeId: scan.qrCode.id, resolveOrigin: async () => ({ ...scan, isScan: true }) };
}

// The origin for a paused or expired code. An open code must be scanned first.
async function createClosedCodeOrigin(tx: Tx, qrCodeId: string): Promise<ConversationOrigin> {
  const qrCode = await findPublicQrCode(tx, qrCodeId);
  if (qrCode) assertQrCodeNotWithheld(qrCode);
  if (qrCode && isQrCodeOpen(qrCode))
    throw createValidationError({
      field: 'scanId',
      code: 'REQUIRED',
      message: 'Is required: the code is active, so it must be scanned first.',
    });
  if (!qrCode || !['PAUSED', 'EXPIRED'].includes(getCurrentQrCodeStatus(qrCode)))
    throw new ServiceError('NOT_FOUND');
  return { id: generateId(), isScan: false, qrCode };
}

/** A suspended owner, or one whose code was taken down, reaches no finders. @throws CODE_UNAVAILABLE */
export async function assertConversationNotWithheld(
  db: Db,
  { qrCodeId }: Pick<ConversationRow, 'qrCodeId'>,
): Promise<void> {
  const code = await findPublicQrCode(db, qrCodeId);
  if (code) assertQrCodeNotWithheld(code);
}
