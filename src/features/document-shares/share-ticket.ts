import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { ticketEnd } from './share.rules.ts';

/** An opening of a share, as far as what it gives depends on it. */
export interface Opening {
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
export function shareTicket(vault: Vault, opening: Opening): string {
  return `${opening.id}.${signature(vault, opening)}`;
}

/** The opening that a ticket names; null where it names none. It opens nothing by itself: see `isTicketOf`. */
export function openingNamed(ticket: string): string | null {
  const [id] = ticket.split('.');
  return isId(id) ? id : null;
}

/** Whether a ticket is of this opening, and has not ended. Compared in constant time. */
export function isTicketOf(vault: Vault, ticket: string, opening: Opening, now: Date): boolean {
  return endOf(opening) > now && sameBytes(ticket, shareTicket(vault, opening));
}

/** Whole seconds that the ticket of an opening lasts from now on. */
export function secondsLeft(opening: Opening, now: Date): number {
  return Math.max(0, Math.ceil((endOf(opening).getTime() - now.getTime()) / 1000));
}

function endOf({ readAt, expiresAt }: Opening): Date {
  return ticketEnd(readAt, expiresAt);
}

function signature(vault: Vault, opening: Opening): string {
  const { id, shareId, versionNumber } = opening;
  const parts = [id, shareId, String(versionNumber), endOf(opening).toISOString()];
  return vault.hash('document-ticket', ...parts).toString('base64url');
}
