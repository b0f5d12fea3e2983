import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { isId } from '../../../shared/ids.ts';
import { computeTicketExpiry } from './share.rules.ts';

/** An opening of a share, as far as what it gives depends on it. */
export interface TicketAccess {
  id: string;
  shareId: string;
  versionNumber: number;
  readAt: Date;
  /** When the share ends by itself. */
  expiresAt: Date | null;
}

/**
 * What an opening of a share gives: a ticket for the version that was opened, for five minutes. An HMAC, derived each time
 * and stored nowhere.
 */
export function createDownloadTicket(fieldCipher: FieldCipher, access: TicketAccess): string {
  return `${access.id}.${signDownloadTicket(fieldCipher, access)}`;
}

/** The opening that a ticket names; null where it names none. It opens nothing by itself: see `isTicketOf`. */
export function parseTicketAccessId(ticket: string): string | null {
  const [id] = ticket.split('.');
  return isId(id) ? id : null;
}

/** Whether a ticket is of this opening, and has not ended. Compared in constant time. */
export function isDownloadTicketValid(
  fieldCipher: FieldCipher,
  ticket: string,
  access: TicketAccess,
  now: Date,
): boolean {
  return getTicketExpiry(access) > now && timingSafeEquals(ticket, createDownloadTicket(fieldCipher, access));
}

/** Whole seconds that the ticket of an opening lasts from now on. */
export function getTicketSecondsLeft(access: TicketAccess, now: Date): number {
  return Math.max(0, Math.ceil((getTicketExpiry(access).getTime() - now.getTime()) / 1000));
}

function getTicketExpiry({ readAt, expiresAt }: TicketAccess): Date {
  return computeTicketExpiry(readAt, expiresAt);
}

function signDownloadTicket(fieldCipher: FieldCipher, access: TicketAccess): string {
  const { id, shareId, versionNumber } = access;
  const parts = [id, shareId, String(versionNumber), getTicketExpiry(access).toISOString()];
  return fieldCipher.hash('document-ticket', ...parts).toString('base64url');
}
