import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { truncateIpAddress } from '../../shared/client-address.ts';
import { DUPLICATE_WINDOW_SECONDS } from './scan-class.rules.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Who scans, as far as the server sees and may keep it. */
export interface ScanVisitor {
  /** Truncated: IPv4 to its /24, IPv6 to its /48. */
  ip: string;
  /** Whole: stored nowhere. */
  address: string;
  userAgent: string;
  /** The account, when signed in. */
  accountId: string | null;
  /** The owner that a test link marked this phone as belonging to. */
  phoneOwnerId: string | null;
  method: string;
  purpose: string;
}

/** The visitor behind a request; nothing that the body says counts. */
export function toScanVisitor(context: RequestContext, phoneOwnerId: string | null = null): ScanVisitor {
  return {
    ip: truncateIpAddress(context.address),
    address: context.address,
    userAgent: context.userAgent,
    accountId: context.user?.id ?? null,
    phoneOwnerId,
    method: context.method,
    purpose: context.purpose,
  };
}

/**
 * What tells one visitor of a code from another for a UTC day, and cannot be followed to the next: a keyed hash
 * of 32 bytes over the day, the truncated address, the agent and the code.
 */
export function hashVisitor(
  fieldCipher: FieldCipher,
  visitor: Pick<ScanVisitor, 'ip' | 'userAgent'>,
  qrCodeId: string,
  at: Date,
): Buffer<ArrayBuffer> {
  const day = at.toISOString().slice(0, 10);
  return fieldCipher.hash('scan-visitor', day, visitor.ip, visitor.userAgent, qrCodeId);
}

/**
 * The hash that the same visitor had on the UTC day before, as long as a scan of then can make this one a DUPLICATE; null
 * later in the day.
 */
export function hashVisitorOfPreviousDay(
  fieldCipher: FieldCipher,
  visitor: Pick<ScanVisitor, 'ip' | 'userAgent'>,
  qrCodeId: string,
  at: Date,
): Buffer<ArrayBuffer> | null {
  if (at.getTime() % DAY_MS >= DUPLICATE_WINDOW_SECONDS * 1000) return null;
  return hashVisitor(fieldCipher, visitor, qrCodeId, new Date(at.getTime() - DAY_MS));
}

/**
 * Who an Idempotency-Key of the public belongs to: a keyed hash of code and visitor. Over the whole address, so that
 * a neighbour who guesses the key does not get this visitor's answer, and not over the day, so that a retry after
 * midnight is one.
 */
export function getPublicIdempotencyOwner(
  fieldCipher: FieldCipher,
  context: RequestContext,
  qrCodeId: string,
): string {
  const parts = [context.address, context.userAgent, qrCodeId];
  return `visitor:${fieldCipher.hash('idempotency-visitor', ...parts).toString('base64url')}`;
}
