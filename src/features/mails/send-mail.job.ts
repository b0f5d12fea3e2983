import { addAuditEntry } from '../../platform/audit.repository.ts';
import { damageRecord } from '../../platform/damage.ts';
import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Queue } from '../../platform/jobs.ts';
import type { Vault } from '../../platform/vault.ts';
import { MailError, type MailProvider, messageIdFor } from '../../providers/mail/mail.port.ts';
import { type DamagedValue, ServiceError } from '../../shared/errors.ts';
import { settleMail } from '../notifications/delivery.repository.ts';
import type { MailText } from './mail-templates.ts';
import { findWaitingMail, giveUp, markSent, noteFailedTry } from './outbox.repository.ts';

/** The queue of mails to send; its jobs carry only the id of a row of the outbox. */
export const MAIL_QUEUE: Queue = { name: 'mail', expireInSeconds: 30, retryLimit: 8, retryDelay: 5 };

/** What stands for the template of a mail that is not sent. */
export const DISCARDED = 'DISCARDED';

/** A mail as the outbox keeps it, encrypted. */
export interface MailContent extends MailText {
  to: string;
  unsubscribeUrl?: string;
}

/** Tries after which a mail is given up; about an hour with the queue's growing pauses. */
const MAX_ATTEMPTS = 9;

/** The reason of a mail whose content failed its integrity check. */
const DAMAGED = 'DATA_INTEGRITY';

const JOB = { operation: MAIL_QUEUE.name, requestId: 'job' } as const;

interface Services {
  database: Database;
  vault: Vault;
  mail: MailProvider;
  mailFrom: string;
  /** Host name for Message-IDs. */
  mailDomain: string;
}

/**
 * Sends one mail of the outbox by the id in the job. A mail that was sent already is left alone; a repeat
 * after a kill carries the same Message-ID. Throws what makes another try worth while.
 */
export function sendMailJob({ database, vault, mail, mailFrom, mailDomain }: Services): JobHandler {
  return async ({ mailId }) => {
    const waiting = typeof mailId === 'string' ? await findWaitingMail(database.client, mailId) : null;
    if (!waiting) return;
    if (waiting.template === DISCARDED) return markSent(database.client, waiting.id);
    const place = { table: 'outgoing_mails', column: 'content', rowId: waiting.id, ownerId: '' };
    try {
      const content = vault.open<MailContent>(place, waiting.content);
      await mail.send({ ...content, from: mailFrom, messageId: messageIdFor(waiting.id, mailDomain) });
    } catch (error) {
      const { reason, permanent, damaged } = failureOf(error);
      const isLast = permanent || waiting.attempts + 1 >= MAX_ATTEMPTS;
      await database.transaction(async (tx) => {
        if (damaged && waiting.reason !== DAMAGED)
          await addAuditEntry(tx, { ...damageRecord(damaged), ...JOB });
        await (isLast ? giveUp : noteFailedTry)(tx, waiting.id, reason);
        await settleMail(tx, waiting.id, {
          status: isLast ? 'FAILED' : 'WAITING',
          reason: reasonWord({ permanent, damaged, isLast }),
        });
      });
      if (isLast) return;
      throw error;
    }
    await database.transaction(async (tx) => {
      await markSent(tx, waiting.id);
      await settleMail(tx, waiting.id, { status: 'DELIVERED', reason: null });
    });
  };
}

/** What is said of it at the notification that the mail is of. */
function reasonWord(failure: { permanent: boolean; damaged: unknown; isLast: boolean }): string {
  if (failure.damaged) return DAMAGED;
  if (failure.permanent) return 'REFUSED';
  return failure.isLast ? 'GIVEN_UP' : 'SERVER_BUSY';
}

/** Why a mail was not sent, as a word. One that does not open is tried again: a key may be one that is not known here yet. */
function failureOf(error: unknown): { reason: string; permanent: boolean; damaged?: DamagedValue } {
  if (error instanceof MailError) return { reason: error.message, permanent: error.permanent };
  if (error instanceof ServiceError && error.damaged)
    return { reason: DAMAGED, permanent: false, damaged: error.damaged };
  return { reason: 'UNEXPECTED', permanent: false };
}
