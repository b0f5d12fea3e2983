import type { Database, Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { findQrCode, getCurrentStatus } from '../codes/index.ts';
import { findScan, isCodeOpen, isScanToken } from '../scans/index.ts';

/** What a conversation is begun from. */
export interface ConversationOrigin {
  /** A scan, or a visit to a code that records none at this moment. */
  id: string;
  isScan: boolean;
  qrCode: {
    id: string;
    ownerId: string;
    kind: string;
    title: string;
    status: string;
    expiresAt: Date | null;
    contactable: boolean;
  };
}

/** The code that somebody writes about, and what the conversation is begun from, in the transaction that begins it. */
interface ResolvedOrigin {
  qrCodeId: string;
  resolveOrigin(tx: Tx): Promise<ConversationOrigin>;
}

interface OriginInput {
  scanId?: string | undefined;
  qrCodeId?: string | undefined;
}

/**
 * What a request to begin a conversation names: a scan that its token opens, or a code that is closed. Throws NOT_FOUND,
 * SCAN_TOKEN_INVALID, and VALIDATION_FAILED where it is not one of the two.
 */
export async function resolveConversationOrigin(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  { scanId, qrCodeId }: OriginInput,
  scanToken: string | string[] | undefined,
): Promise<ResolvedOrigin> {
  if (scanId !== undefined && qrCodeId !== undefined)
    throw createValidationError({ field: 'qrCodeId', code: 'NOT_ALLOWED', message: 'Goes without a scan.' });
  if (qrCodeId !== undefined)
    return { qrCodeId, resolveOrigin: (tx) => createClosedCodeOrigin(tx, qrCodeId) };
  if (scanId === undefined)
    throw createValidationError({ field: 'scanId', code: 'REQUIRED', message: 'Is required.' });
  const scan = await findScan(database.client, scanId);
  if (!scan || scan.qrCode.status === 'DELETED') throw new ServiceError('NOT_FOUND');
  if (!isScanToken(fieldCipher, scan, scanToken)) throw new ServiceError('SCAN_TOKEN_INVALID');
  return { qrCodeId: scan.qrCode.id, resolveOrigin: async () => ({ ...scan, isScan: true }) };
}

/** A fresh visit to a paused or expired code. Throws NOT_FOUND, VALIDATION_FAILED for one that is to be scanned first. */
async function createClosedCodeOrigin(tx: Tx, qrCodeId: string): Promise<ConversationOrigin> {
  const qrCode = await findQrCode(tx, qrCodeId);
  if (qrCode && isCodeOpen(qrCode))
    throw createValidationError({
      field: 'scanId',
      code: 'REQUIRED',
      message: 'The code is open: scan it first.',
    });
  if (!qrCode || !['PAUSED', 'EXPIRED'].includes(getCurrentStatus(qrCode)))
    throw new ServiceError('NOT_FOUND');
  return { id: generateId(), isScan: false, qrCode };
}
