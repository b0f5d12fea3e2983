import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** Record that the page of an owner link shows and changes. */
export type OwnerLinkSubject =
  | { name: 'scan'; qrCodeId: string; scanId: string }
  | { name: 'code'; qrCodeId: string }
  | { name: 'entry'; memoryTagId: string; entryId: string };

export interface OwnerLinkKey {
  notificationId: string;
  userId: string;
  /** Whatever ends the owner's sessions voids the link. */
  accessEpoch: number;
}

/** Null for a notification without an owner link. */
export function findOwnerLinkSubject(
  event: string,
  data: Readonly<Record<string, string>>,
): OwnerLinkSubject | null {
  const { qrCodeId, scanId, memoryTagId, guestBookEntryId: entryId } = data;
  if (event === 'GUEST_BOOK_SIGNED')
    return memoryTagId && entryId ? { name: 'entry', memoryTagId, entryId } : null;
  if (!qrCodeId) return null;
  if (event === 'PIN_REJECTED') return { name: 'code', qrCodeId };
  return SCAN_EVENTS.includes(event) && scanId ? { name: 'scan', qrCodeId, scanId } : null;
}

const SCAN_EVENTS = ['QR_CODE_SCANNED', 'LOST_CODE_SCANNED', 'SCAN_LOCATED', 'SCANS_DIGEST'];

/**
 * Create the token of a link that replaces a login for what one notification is about: notification id, expiry and a
 * keyed hash. It is not stored.
 */
export function createOwnerLinkToken(fieldCipher: FieldCipher, key: OwnerLinkKey): string {
  const expiresAtSeconds = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.ownerLink);
  return `${key.notificationId}.${expiresAtSeconds}.${computeSignature(fieldCipher, key, expiresAtSeconds)}`;
}

/** Parse a token without verifying it; null when it is malformed or expired. */
export function parseOwnerLinkToken(token: string): { notificationId: string; expiresAt: Date } | null {
  const [notificationId = '', expiresAtSeconds = ''] = token.split('.');
  if (!isId(notificationId) || !/^\d{1,12}$/.test(expiresAtSeconds)) return null;
  const expiresAt = new Date(Number(expiresAtSeconds) * 1000);
  return expiresAt.getTime() <= Date.now() ? null : { notificationId, expiresAt };
}

/** Verify the signature of a token in constant time. */
export function isOwnerLinkTokenValid(fieldCipher: FieldCipher, token: string, key: OwnerLinkKey): boolean {
  const [, expiresAtSeconds = '', signature = ''] = token.split('.');
  return timingSafeEquals(signature, computeSignature(fieldCipher, key, expiresAtSeconds));
}

function computeSignature(
  fieldCipher: FieldCipher,
  { notificationId, userId, accessEpoch }: OwnerLinkKey,
  expiresAtSeconds: string,
): string {
  return fieldCipher
    .hash('owner-link', notificationId, userId, String(accessEpoch), expiresAtSeconds)
    .toString('base64url');
}
