import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** Record that the page of an owner link shows and changes. */
export type OwnerLinkSubject =
  | { name: 'scan'; qrCodeId: string; scanId: string }
  | { name: 'code'; qrCodeId: string }
  | { name: 'entry'; memoryTagId: string; entryId: string };

/** Null for a notification without an owner link. */
export function findOwnerLinkSubject(
  event: string,
  data: Readonly<Record<string, string>>,
): OwnerLinkSubject | null {
  const { qrCodeId, scanId, memoryTagId, guestBookEntryId: entryId } = data;
  if (event === 'guest_book.signed')
    return memoryTagId && entryId ? { name: 'entry', memoryTagId, entryId } : null;
  if (!qrCodeId) return null;
  if (event === 'code.pin_rejected') return { name: 'code', qrCodeId };
  return SCAN_EVENTS.includes(event) && scanId ? { name: 'scan', qrCodeId, scanId } : null;
}

const SCAN_EVENTS = ['scan.created', 'code.scanned_while_lost', 'scan.located', 'scan.digest'];

/**
 * Token of a link that replaces a login for what one notification is about. Whatever ends the owner's sessions voids
 * it.
 */
export const ownerLinkToken = defineSignedToken({
  purpose: 'owner-link',
  parts: { notificationId: isId, userId: CONTEXT, accessEpoch: CONTEXT },
  lifetimeSeconds: LIFETIMES_SECONDS.ownerLink,
});
