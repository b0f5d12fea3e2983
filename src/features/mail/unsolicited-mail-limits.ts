import { refundAttempts, tryConsumeAttempt } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import { DAY_SECONDS } from '../../shared/durations.ts';
import type { MailTemplateName, MailTemplateValues } from './mail-templates.ts';
import { isMailSuppressed } from './suppression.repository.ts';

/** Why a mail is not sent. */
export type MailDiscardReason = 'SUPPRESSED' | 'TOO_MANY';

/** A mail that somebody else can cause by typing the address of its recipient. */
interface UnsolicitedMailLimit {
  /** Limits of a group count the same mails. */
  group: 'unconfirmed' | 'confirmed' | 'invitations';
  maxPerDay: number;
}

const INVITATION_LIMIT: UnsolicitedMailLimit = { group: 'invitations', maxPerDay: 10 };

/**
 * Limits of an address, whoever causes its mails. Those of registrations are counted only: identity limits them by
 * network, so that nobody uses up the mails of another.
 */
const LIMIT_BY_TEMPLATE: Readonly<Partial<Record<MailTemplateName, UnsolicitedMailLimit>>> = {
  OTP: { group: 'unconfirmed', maxPerDay: Number.POSITIVE_INFINITY },
  OTP_CHOICE: { group: 'unconfirmed', maxPerDay: Number.POSITIVE_INFINITY },
  ALREADY_REGISTERED: { group: 'unconfirmed', maxPerDay: Number.POSITIVE_INFINITY },
  CONFIRM_ADDRESS: { group: 'unconfirmed', maxPerDay: 3 },
  REPLY_RECEIVED: { group: 'confirmed', maxPerDay: 20 },
  ORGANIZATION_INVITATION: INVITATION_LIMIT,
};

/** Notifications of what another user did with the address of an account. */
export const INVITATION_EVENTS: readonly string[] = ['caretaker.added', 'document.granted'];

/** Of all groups together. */
const MAX_MAILS_PER_DAY = 30;

/** Null for mails that only their recipient or their own codes can cause. */
export function findUnsolicitedMailLimit<T extends MailTemplateName>(
  template: T,
  values: MailTemplateValues[T],
): UnsolicitedMailLimit | null {
  if (template === 'NOTIFICATION' && 'event' in values)
    return INVITATION_EVENTS.includes(values.event) ? INVITATION_LIMIT : null;
  return LIMIT_BY_TEMPLATE[template] ?? null;
}

/** Consume one of the mails of an address; otherwise the reason why this one must not be sent. */
export async function consumeUnsolicitedMail(
  tx: Tx,
  { group, maxPerDay }: UnsolicitedMailLimit,
  recipientHash: Buffer<ArrayBuffer>,
): Promise<MailDiscardReason | null> {
  if (await isMailSuppressed(tx, recipientHash)) return 'SUPPRESSED';
  const allowedOfAll = maxPerDay === Number.POSITIVE_INFINITY ? maxPerDay : MAX_MAILS_PER_DAY;
  const limits = [
    { key: getLimitKey(group, recipientHash), allowed: maxPerDay, windowSeconds: DAY_SECONDS },
    { key: getLimitKey('all', recipientHash), allowed: allowedOfAll, windowSeconds: DAY_SECONDS },
  ];
  const consumed: string[] = [];
  for (const limit of limits) {
    consumed.push(limit.key);
    if (await tryConsumeAttempt(tx, limit)) continue;
    await refundAttempts(tx, consumed);
    return 'TOO_MANY';
  }
  return null;
}

function getLimitKey(group: string, recipientHash: Buffer): string {
  return `unsolicited-mails:${group}:${recipientHash.toString('base64url')}`;
}
