import type { FieldCipher } from '../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
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

function defineFormToken(purpose: string) {
  return defineSignedToken({
    purpose,
    parts: { subjectId: CONTEXT, id: isId },
    lifetimeSeconds: LIFETIMES_SECONDS.finderForm,
  });
}

const scanFormToken = defineFormToken('finder-form');
const closedFormToken = defineFormToken('closed-form');
const reportFormToken = defineFormToken('report-form');
const shareFormToken = defineFormToken('share-form');
const conversationFormTokens = {
  FINDER: defineFormToken('conversation-form-FINDER'),
  OWNER: defineFormToken('conversation-form-OWNER'),
};

/** Create a token that makes one visit one scan and prevents cross-site requests. */
export function createVisitFormToken(
  fieldCipher: FieldCipher,
  codeId: string,
  id: string,
  isScan = true,
): string {
  return (isScan ? scanFormToken : closedFormToken).create(fieldCipher, { subjectId: codeId, id });
}

interface ConversationFormSubject {
  row: { id: string; qrCodeId: string };
  side: ConversationSide;
}

export function createConversationFormToken(
  fieldCipher: FieldCipher,
  { row, side }: ConversationFormSubject,
): string {
  return conversationFormTokens[side].create(fieldCipher, { subjectId: row.qrCodeId, id: row.id });
}

export function isConversationFormTokenValid(
  fieldCipher: FieldCipher,
  { row, side }: ConversationFormSubject,
  token: string | undefined,
): boolean {
  const verified = conversationFormTokens[side].verify(fieldCipher, token, { subjectId: row.qrCodeId });
  return verified?.id === row.id;
}

/** Create the token of the form to report a code; its time shows how long the form was open. */
export function createReportFormToken(fieldCipher: FieldCipher, codeId: string): string {
  return reportFormToken.create(fieldCipher, { subjectId: codeId, id: generateId() });
}

/** Null if the token is invalid or expired. */
export function getReportFormAgeSeconds(
  fieldCipher: FieldCipher,
  codeId: string,
  token: string | undefined,
): number | null {
  const verified = reportFormToken.verify(fieldCipher, token, { subjectId: codeId });
  return verified && getFormAgeSeconds(verified);
}

/** Create the token of a share form. Its id makes a repeated submission idempotent. */
export function createShareFormToken(fieldCipher: FieldCipher, shareId: string, id: string): string {
  return shareFormToken.create(fieldCipher, { subjectId: shareId, id });
}

/** Null if the token is invalid or expired. */
export function verifyShareFormToken(
  fieldCipher: FieldCipher,
  shareId: string,
  token: string | undefined,
): string | null {
  return shareFormToken.verify(fieldCipher, token, { subjectId: shareId })?.id ?? null;
}

/** Null if the token is invalid, expired or of no scan. */
export function verifyScanFormToken(
  fieldCipher: FieldCipher,
  codeId: string,
  token: string | undefined,
): string | null {
  return scanFormToken.verify(fieldCipher, token, { subjectId: codeId })?.id ?? null;
}

/** Null if the token is invalid or expired. */
export function verifyVisitFormToken(
  fieldCipher: FieldCipher,
  codeId: string,
  token = '',
): FormTokenVisit | null {
  const context = { subjectId: codeId };
  const ofScan = scanFormToken.verify(fieldCipher, token, context);
  const verified = ofScan ?? closedFormToken.verify(fieldCipher, token, context);
  return (
    verified && {
      id: verified.id,
      isScan: ofScan !== null,
      token,
      ageSeconds: getFormAgeSeconds(verified),
    }
  );
}

function getFormAgeSeconds({ expiresAt }: { expiresAt: Date }): number {
  return Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.finderForm - expiresAt.getTime() / 1000;
}
