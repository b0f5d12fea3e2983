import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { generateId, isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import type { ConversationSide } from '../conversations/index.ts';

/** The visit of a form: a scan, or a generated id if the code is closed. */
export interface FormTokenVisit {
  id: string;
  isScan: boolean;
  /** The submitted token; a rejected form keeps it, and thereby its age. */
  token: string;
  ageSeconds: number;
}

/** Create a token that makes one visit one scan and prevents cross-site requests. */
export function createVisitFormToken(
  fieldCipher: FieldCipher,
  codeId: string,
  id: string,
  isScan = true,
): string {
  return signToken(fieldCipher, isScan ? 'finder-form' : 'closed-form', codeId, id);
}

interface ConversationFormSubject {
  row: { id: string; qrCodeId: string };
  side: ConversationSide;
}

export function createConversationFormToken(
  fieldCipher: FieldCipher,
  { row, side }: ConversationFormSubject,
): string {
  return signToken(fieldCipher, `conversation-form-${side}`, row.qrCodeId, row.id);
}

export function isConversationFormTokenValid(
  fieldCipher: FieldCipher,
  { row, side }: ConversationFormSubject,
  token: string | undefined,
): boolean {
  return verifyToken(fieldCipher, `conversation-form-${side}`, row.qrCodeId, token) === row.id;
}

/** Create the token of the form to report a code; its time shows how long the form was open. */
export function createReportFormToken(fieldCipher: FieldCipher, codeId: string): string {
  return signToken(fieldCipher, 'report-form', codeId, generateId());
}

/** Null if the token is invalid or expired. */
export function getReportFormAgeSeconds(
  fieldCipher: FieldCipher,
  codeId: string,
  token: string | undefined,
): number | null {
  return token && verifyToken(fieldCipher, 'report-form', codeId, token) ? getTokenAgeSeconds(token) : null;
}

/** Create the token of a share form. Its id makes a repeated submission idempotent. */
export function createShareFormToken(fieldCipher: FieldCipher, shareId: string, id: string): string {
  return signToken(fieldCipher, 'share-form', shareId, id);
}

/** Null if the token is invalid or expired. */
export function verifyShareFormToken(
  fieldCipher: FieldCipher,
  shareId: string,
  token: string | undefined,
): string | null {
  return verifyToken(fieldCipher, 'share-form', shareId, token);
}

/** Null if the token is invalid, expired or of no scan. */
export function verifyScanFormToken(
  fieldCipher: FieldCipher,
  codeId: string,
  token: string | undefined,
): string | null {
  const visit = verifyVisitFormToken(fieldCipher, codeId, token);
  return visit?.isScan ? visit.id : null;
}

/** Null if the token is invalid or expired. */
export function verifyVisitFormToken(
  fieldCipher: FieldCipher,
  codeId: string,
  token = '',
): FormTokenVisit | null {
  const scanId = verifyToken(fieldCipher, 'finder-form', codeId, token);
  const id = scanId ?? verifyToken(fieldCipher, 'closed-form', codeId, token);
  return id === null ? null : { id, isScan: scanId !== null, token, ageSeconds: getTokenAgeSeconds(token) };
}

function getTokenAgeSeconds(token: string): number {
  return Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.finderForm - Number(token.split('.')[1]);
}

/** Each purpose has a separate signature key. */
type TokenPurpose =
  | 'finder-form'
  | 'closed-form'
  | 'report-form'
  | 'share-form'
  | `conversation-form-${ConversationSide}`;

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
