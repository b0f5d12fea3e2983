import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../../shared/crypto/signed-token.ts';
import { isId } from '../../../shared/ids.ts';
import { computeDownloadTicketExpiry } from './share.rules.ts';

/** The same for repeated requests: the expiry follows from the access. */
const downloadTicket = defineSignedToken({
  purpose: 'document-ticket',
  parts: { id: isId, shareId: CONTEXT, versionNumber: CONTEXT },
  lifetimeSeconds: CONTEXT,
});

export interface DownloadTicketAccess {
  id: string;
  shareId: string;
  versionNumber: number;
  readAt: Date;
  expiresAt: Date | null;
}

export function createDownloadTicket(fieldCipher: FieldCipher, access: DownloadTicketAccess): string {
  return downloadTicket.create(fieldCipher, { id: access.id, ...toContext(access) });
}

/** The ticket is not verified: see `isDownloadTicketValid`. */
export function parseDownloadTicketAccessId(ticket: string): string | null {
  return downloadTicket.parse(ticket)?.id ?? null;
}

export function isDownloadTicketValid(
  fieldCipher: FieldCipher,
  ticket: string,
  access: DownloadTicketAccess,
  now: Date,
): boolean {
  return downloadTicket.verify(fieldCipher, ticket, toContext(access), now.getTime())?.id === access.id;
}

export function getDownloadTicketSecondsLeft(access: DownloadTicketAccess, now: Date): number {
  const { expiresAt } = toContext(access);
  return Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000));
}

function toContext({ shareId, versionNumber, readAt, expiresAt }: DownloadTicketAccess) {
  return { shareId, versionNumber, expiresAt: computeDownloadTicketExpiry(readAt, expiresAt) };
}
