import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import type { ConversationSide } from '../conversations/conversation-token.ts';

/** The visit that a form belongs to: a scan, or where a code is closed an id in its place. */
export interface FormVisit {
  id: string;
  isScan: boolean;
  /** What the form was sent with: it stays as old as it is where the form comes back. */
  token: string;
  /** How many seconds ago the form was made. */
  age: number;
}

/**
 * The token in the forms of one visit: its id, end, and a keyed hash over both and the code. It makes one visit one
 * scan, and other sites cannot make it.
 */
export function formToken(fieldCipher: FieldCipher, codeId: string, id: string, isScan = true): string {
  return tokenOf(fieldCipher, isScan ? 'finder-form' : 'closed-form', codeId, id);
}

/** The conversation that a form belongs to, and the side of it that sees the form. */
interface OfConversation {
  row: { id: string; qrCodeId: string };
  side: ConversationSide;
}

/** The token in the forms of one side of a conversation: it is none of a visit. */
export function conversationFormToken(fieldCipher: FieldCipher, { row, side }: OfConversation): string {
  return tokenOf(fieldCipher, `conversation-form-${side}`, row.qrCodeId, row.id);
}

/** Whether a token is of the forms of this side of this conversation, and has not ended. */
export function isFormOfConversation(
  fieldCipher: FieldCipher,
  { row, side }: OfConversation,
  token: string | undefined,
): boolean {
  return idOfForm(fieldCipher, `conversation-form-${side}`, row.qrCodeId, token) === row.id;
}

/** The token in the form that opens a share of a document: with an id of its own, by which sending it twice opens it once. */
export function shareFormToken(fieldCipher: FieldCipher, shareId: string, id: string): string {
  return tokenOf(fieldCipher, 'share-form', shareId, id);
}

/** The id in the token of a form of this share; null when it is of none, or has ended. */
export function idOfShareForm(
  fieldCipher: FieldCipher,
  shareId: string,
  token: string | undefined,
): string | null {
  return idOfForm(fieldCipher, 'share-form', shareId, token);
}

/** The scan that a form belongs to; null when it is of none, or the token is not ours, of another code, or has ended. */
export function scanOfForm(
  fieldCipher: FieldCipher,
  codeId: string,
  token: string | undefined,
): string | null {
  const visit = visitOfForm(fieldCipher, codeId, token);
  return visit?.isScan ? visit.id : null;
}

/** The visit that a form belongs to; null when the token is not ours, of another code, or has ended. */
export function visitOfForm(fieldCipher: FieldCipher, codeId: string, token = ''): FormVisit | null {
  const scanId = idOfForm(fieldCipher, 'finder-form', codeId, token);
  const id = scanId ?? idOfForm(fieldCipher, 'closed-form', codeId, token);
  return id === null ? null : { id, isScan: scanId !== null, token, age: ageOf(token) };
}

/** By the end that the token names. */
function ageOf(token: string): number {
  return Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.finderForm - Number(token.split('.')[1]);
}

/** What a token was made for: each has a key of its own. */
type Purpose = 'finder-form' | 'closed-form' | 'share-form' | `conversation-form-${ConversationSide}`;

function tokenOf(fieldCipher: FieldCipher, purpose: Purpose, ofId: string, id: string): string {
  const end = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.finderForm);
  return `${id}.${end}.${sign(fieldCipher, purpose, ofId, id, end)}`;
}

function idOfForm(
  fieldCipher: FieldCipher,
  purpose: Purpose,
  codeId: string,
  token: string | undefined,
): string | null {
  const [id = '', end = '', signature = ''] = token?.split('.') ?? [];
  if (!isId(id) || !/^\d{1,12}$/.test(end) || Number(end) * 1000 <= Date.now()) return null;
  return timingSafeEquals(signature, sign(fieldCipher, purpose, codeId, id, end)) ? id : null;
}

function sign(fieldCipher: FieldCipher, purpose: Purpose, codeId: string, id: string, end: string): string {
  return fieldCipher.hash(purpose, codeId, id, end).toString('base64url');
}
