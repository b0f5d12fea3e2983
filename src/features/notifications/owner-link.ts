import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** What an owner link leads to: a record that its page shows and changes, or the page of an invoice. */
export type OwnerLinkSubject =
  | { name: 'scan'; qrCodeId: string; scanId: string }
  | { name: 'code'; qrCodeId: string }
  | { name: 'entry'; memoryTagId: string; entryId: string }
  | { name: 'invoice'; invoiceId: string };

/** Null for a notification without an owner link. */
export function findOwnerLinkSubject(
  event: string,
  data: Readonly<Record<string, string>>,
): OwnerLinkSubject | null {
  const { qrCodeId, scanId, memoryTagId, guestBookEntryId: entryId, invoiceId } = data;
  if (event === 'guest_book.signed')
    return memoryTagId && entryId ? { name: 'entry', memoryTagId, entryId } : null;
  if (INVOICE_EVENTS.includes(event)) return invoiceId ? { name: 'invoice', invoiceId } : null;
  if (!qrCodeId) return null;
  if (event === 'code.pin_rejected') return { name: 'code', qrCodeId };
  return SCAN_EVENTS.includes(event) && scanId ? { name: 'scan', qrCodeId, scanId } : null;
}

/** The page of an invoice has its PDF, and takes a payment that is due. */
const INVOICE_EVENTS = ['payment.received', 'payment.failed', 'payment.action_required', 'payment.refunded'];

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
