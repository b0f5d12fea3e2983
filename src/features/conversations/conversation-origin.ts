import type { Database, Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { findQrCode } from '../qrcodes/qrcode.repository.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';
import { findScan } from '../scans/scan.repository.ts';
import { opensScan } from '../scans/scan-token.ts';
import { isOpen } from '../scans/scanned-code.ts';

/** What a conversation is begun from. */
export interface Origin {
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
interface Asked {
  qrCodeId: string;
  originIn(tx: Tx): Promise<Origin>;
}

interface Names {
  scanId?: string | undefined;
  qrCodeId?: string | undefined;
}

/**
 * What a request to begin a conversation names: a scan that its token opens, or a code that is closed. Throws NOT_FOUND,
 * SCAN_TOKEN_INVALID, and VALIDATION_FAILED where it is not one of the two.
 */
export async function originNamed(
  { database, vault }: { database: Database; vault: Vault },
  { scanId, qrCodeId }: Names,
  scanToken: string | string[] | undefined,
): Promise<Asked> {
  if (scanId !== undefined && qrCodeId !== undefined)
    throw invalidFields({ field: 'qrCodeId', code: 'NOT_ALLOWED', message: 'Goes without a scan.' });
  if (qrCodeId !== undefined) return { qrCodeId, originIn: (tx) => closedOrigin(tx, qrCodeId) };
  if (scanId === undefined)
    throw invalidFields({ field: 'scanId', code: 'REQUIRED', message: 'Is required.' });
  const scan = await findScan(database.client, scanId);
  if (!scan || scan.qrCode.status === 'DELETED') throw new ServiceError('NOT_FOUND');
  if (!opensScan(vault, scan, scanToken)) throw new ServiceError('SCAN_TOKEN_INVALID');
  return { qrCodeId: scan.qrCode.id, originIn: async () => ({ ...scan, isScan: true }) };
}

/** A fresh visit to a paused or expired code. Throws NOT_FOUND, VALIDATION_FAILED for one that is to be scanned first. */
async function closedOrigin(tx: Tx, qrCodeId: string): Promise<Origin> {
  const qrCode = await findQrCode(tx, qrCodeId);
  if (qrCode && isOpen(qrCode))
    throw invalidFields({ field: 'scanId', code: 'REQUIRED', message: 'The code is open: scan it first.' });
  if (!qrCode || !['PAUSED', 'EXPIRED'].includes(currentStatus(qrCode))) throw new ServiceError('NOT_FOUND');
  return { id: newId(), isScan: false, qrCode };
}
