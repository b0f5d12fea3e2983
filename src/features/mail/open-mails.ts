import { refundAttempts, tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { MailTemplateName } from './mail-templates.ts';
import { isMailSuppressed } from './suppression.repository.ts';

const DAY_SECONDS = 24 * 60 * 60;

interface OpenMailLimit {
  /** Limits of a group count the same mails. */
  group: 'unasked' | 'confirmed';
  maxPerDay: number;
}

/**
 * Mails to an address that anybody can type, with the mails of the group that the address may have had within a day.
 * Those of accounts are counted only: identity limits them by network, so that nobody uses up the mails of another.
 */
const OPEN_MAIL_LIMITS: Readonly<Partial<Record<MailTemplateName, OpenMailLimit>>> = {
  OTP: { group: 'unasked', maxPerDay: Number.POSITIVE_INFINITY },
  OTP_CHOICE: { group: 'unasked', maxPerDay: Number.POSITIVE_INFINITY },
  ALREADY_REGISTERED: { group: 'unasked', maxPerDay: Number.POSITIVE_INFINITY },
  CONFIRM_ADDRESS: { group: 'unasked', maxPerDay: 3 },
  REPLY_RECEIVED: { group: 'confirmed', maxPerDay: 20 },
};

export function isOpenMail(template: MailTemplateName): boolean {
  return OPEN_MAIL_LIMITS[template] !== undefined;
}

/** Consume one of the mails that an address gets; false when none is left, or when it wants none. */
export async function tryConsumeOpenMail(
  tx: Tx,
  template: MailTemplateName,
  recipientHash: Buffer<ArrayBuffer>,
): Promise<boolean> {
  const limit = OPEN_MAIL_LIMITS[template];
  if (!limit) return true;
  if (await isMailSuppressed(tx, recipientHash)) return false;
  const key = `open-mails:${limit.group}:${recipientHash.toString('base64url')}`;
  const allowed = limit.maxPerDay;
  if (await tryConsumeAttempt(tx, { key, allowed, windowSeconds: DAY_SECONDS })) return true;
  await refundAttempts(tx, [key]);
  return false;
}
