import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import type { ConversationSide } from '../conversations/index.ts';

/** The visit that a form belongs to: a scan, or where a code is closed an id in its place. */
export interface FormVisit {
  id: string;
  isScan: boolean;
  /** What the form was sent with: it stays as old as it is where the form comes back. */
  token: string;
  /** How many seconds ago the form was made. */
  ageSeconds: number;
}

/**
 * The token in the forms of one visit: its id, end, and a keyed hash over both and the code. It makes one visit one
 * scan, and other sites cannot make it.
 */
export function createFormToken(fieldCipher: FieldCipher, codeId: string, id: string, isScan = true): string {
  return signToken(fieldCipher, isScan ? 'finder-form' : 'closed-form', codeId, id);
}

/** The conversation that a form belongs to, and the side of it that sees the form. */
interface ConversationFormSubject {
  row: { id: string; qrCodeId: string };
  side: ConversationSide;
}

/** The token in the forms of one side of a conversation: it is none of a visit. */
export function createConversationFormToken(
  fieldCipher: FieldCipher,
  { row, side }: ConversationFormSubject,
): string {
  return signToken(fieldCipher, `conversation-form-${side}`, row.qrCodeId, row.id);
}

/** Whether a token is of the forms of this side of this conversation, and has not ended. */
export function isConversationFormToken(
  fieldCipher: FieldCipher,
  { row, side }: ConversationFormSubject,
  token: string | undefined,
): boolean {
  return verifyToken(fieldCipher, `conversation-form-${side}`, row.qrCodeId, token) === row.id;
}

/** The token in the form that opens a share of a document: with an id of its own, by which sending it twice opens it once. */
export function createShareFormToken(fieldCipher: FieldCipher, shareId: string, id: string): string {
  return signToken(fieldCipher, 'share-form', shareId, id);
}

/** The id in the token of a form of this share; null when it is of none, or has ended. */
export function verifyShareFormToken(
  fieldCipher: FieldCipher,
  shareId: string,
  token: string | undefined,
): string | null {
  return verifyToken(fieldCipher, 'share-form', shareId, token);
}

/** The scan that a form belongs to; null when it is of none, or the token is not ours, of another code, or has ended. */
export function verifyScanFormToken(
  fieldCipher: FieldCipher,
  codeId: string,
  token: string | undefined,
): string | null {
  const visit = verifyFormToken(fieldCipher, codeId, token);
  return visit?.isScan ? visit.id : null;
}

/** The visit that a form belongs to; null when the token is not ours, of another code, or has ended. */
export function verifyFormToken(fieldCipher: FieldCipher, codeId: string, token = ''): FormVisit | null {
  const scanId = verifyToken(fieldCipher, 'finder-form', codeId, token);
  const id = scanId ?? verifyToken(fieldCipher, 'closed-form', codeId, token);
  return id === null ? null : { id, isScan: scanId !== null, token, ageSeconds: getTokenAgeSeconds(token) };
}

/** By the end that the token names. */
function getTokenAgeSeconds(token: string): number {
  return Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.finderForm - Number(token.split('.')[1]);
}

/** What a token was made for: each has a key of its own. */
type TokenPurpose = 'finder-form' | 'closed-form' | 'share-form' | `conversation-form-${ConversationSide}`;

function signToken(fieldCipher: FieldCipher, purpose: TokenPurpose, subjectId: string, id: string): string {
  const expiresAtSeconds = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.finderForm);
  return `${id}.${expiresAtSeconds}.${computeSignature(fieldCipher, purpose, subjectId, id, expiresAtSeconds)}`;
}

function verifyToken(
  fieldCipher: FieldCipher,
  purpose: TokenPurpose,
  codeId: string,
  token: string | undefined,
): string | null {
  const [id = '', expiresAtSeconds = '', signature = ''] = token?.split('.') ?? [];
  if (!isId(id) || !/^\d{1,12}$/.test(expiresAtSeconds) || Number(expiresAtSeconds) * 1000 <= Date.now())
    return null;
  return timingSafeEquals(signature, computeSignature(fieldCipher, purpose, codeId, id, expiresAtSeconds))
    ? id
    : null;
}

function computeSignature(
  fieldCipher: FieldCipher,
  purpose: TokenPurpose,
  codeId: string,
  id: string,
  expiresAtSeconds: string,
): string {
  return fieldCipher.hash(purpose, codeId, id, expiresAtSeconds).toString('base64url');
}
