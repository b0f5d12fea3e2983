import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { truncateIpAddress } from '../../shared/client-address.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { DUPLICATE_SCAN_WINDOW_SECONDS } from './scan-class.rules.ts';

export interface ScanVisitor {
  /** Truncated: IPv4 to /24, IPv6 to /48. */
  ip: string;
  address: string;
  userAgent: string;
  scannerId: string | null;
  phoneUserId: string | null;
  memberIds?: readonly string[];
  method: string;
  purpose: string;
  isNavigation: boolean;
}

export function toScanVisitor(context: RequestContext, phoneUserId: string | null = null): ScanVisitor {
  return {
    ip: truncateIpAddress(context.address),
    address: context.address,
    userAgent: context.userAgent,
    scannerId: context.user?.id ?? null,
    phoneUserId,
    method: context.method,
    purpose: context.purpose,
    isNavigation: context.isNavigation,
  };
}

/** Hashes differ each UTC day, so that visits cannot be linked across days. */
export function hashScanVisitor(
  fieldCipher: FieldCipher,
  visitor: Pick<ScanVisitor, 'ip' | 'userAgent'>,
  qrCodeId: string,
  at: Date,
): Buffer<ArrayBuffer> {
  const day = at.toISOString().slice(0, 10);
  return fieldCipher.hash('scan-visitor', day, visitor.ip, visitor.userAgent, qrCodeId);
}

/** Null if every scan of that day is outside the duplicate window. */
export function hashScanVisitorOfPreviousDay(
  fieldCipher: FieldCipher,
  visitor: Pick<ScanVisitor, 'ip' | 'userAgent'>,
  qrCodeId: string,
  at: Date,
): Buffer<ArrayBuffer> | null {
  if (at.getTime() % DAY_MS >= DUPLICATE_SCAN_WINDOW_SECONDS * 1000) return null;
  return hashScanVisitor(fieldCipher, visitor, qrCodeId, new Date(at.getTime() - DAY_MS));
}

/** The full address keeps neighbors from a replay; without a day, retries after midnight match. */
export function getPublicIdempotencyOwner(
  fieldCipher: FieldCipher,
  context: RequestContext,
  qrCodeId: string,
): string {
  const parts = [context.address, context.userAgent, qrCodeId];
  return `visitor:${fieldCipher.hash('idempotency-visitor', ...parts).toString('base64url')}`;
}
