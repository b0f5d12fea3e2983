import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { isId } from '../../../shared/ids.ts';
import { computeDownloadTicketExpiry } from './share.rules.ts';

export interface DownloadTicketAccess {
  id: string;
  shareId: string;
  versionNumber: number;
  readAt: Date;
  expiresAt: Date | null;
}

/** Valid for five minutes; the HMAC is derived each time and stored nowhere. */
export function createDownloadTicket(fieldCipher: FieldCipher, access: DownloadTicketAccess): string {
  return `${access.id}.${signDownloadTicket(fieldCipher, access)}`;
}

/** The ticket is not verified: see `isDownloadTicketValid`. */
export function parseDownloadTicketAccessId(ticket: string): string | null {
  const [id] = ticket.split('.');
  return isId(id) ? id : null;
}

/** Compare in constant time. */
export function isDownloadTicketValid(
  fieldCipher: FieldCipher,
  ticket: string,
  access: DownloadTicketAccess,
  now: Date,
): boolean {
  return getTicketExpiry(access) > now && timingSafeEquals(ticket, createDownloadTicket(fieldCipher, access));
}

export function getDownloadTicketSecondsLeft(access: DownloadTicketAccess, now: Date): number {
  return Math.max(0, Math.ceil((getTicketExpiry(access).getTime() - now.getTime()) / 1000));
}

function getTicketExpiry({ readAt, expiresAt }: DownloadTicketAccess): Date {
  return computeDownloadTicketExpiry(readAt, expiresAt);
}

function signDownloadTicket(fieldCipher: FieldCipher, access: DownloadTicketAccess): string {
  const { id, shareId, versionNumber } = access;
  const parts = [id, shareId, String(versionNumber), getTicketExpiry(access).toISOString()];
  return fieldCipher.hash('document-ticket', ...parts).toString('base64url');
}
