import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { EventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { createMessageId, MailError, type MailProvider } from '../../providers/mail/mail.port.ts';
import { type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import type { RenderedMail } from './mail-templates.ts';
import { findPendingMail, markMailFailed, markMailSent, recordFailedAttempt } from './outbox.repository.ts';

/** The queue of mails to send; its jobs carry only the id of a row of the outbox. */
export const MAIL_QUEUE: JobQueueDefinition = {
  name: 'mail',
  expireInSeconds: 30,
  retryLimit: 8,
  retryDelay: 5,
};

/** What stands for the template of a mail that is not sent. */
export const DISCARDED_TEMPLATE = 'DISCARDED';

/** A mail as the outbox keeps it, encrypted. */
export interface StoredMailContent extends RenderedMail {
  to: string;
  unsubscribeUrl?: string;
}

/** Tries after which a mail is given up; about an hour with the queue's growing pauses. */
const MAX_SEND_ATTEMPTS = 9;

/** The reason of a mail whose content failed its integrity check. */
const INTEGRITY_FAILURE_REASON = 'DATA_INTEGRITY';

const JOB_ORIGIN = { operation: MAIL_QUEUE.name, requestId: 'job' } as const;

interface SendMailServices {
  database: Database;
  events: EventBus;
  fieldCipher: FieldCipher;
  mailProvider: MailProvider;
  mailFrom: string;
  /** Host name for Message-IDs. */
  mailDomain: string;
}

/**
 * Sends one mail of the outbox by the id in the job. A mail that was sent already is left alone; a repeat
 * after a kill carries the same Message-ID. Throws what makes another try worth while.
 */
export function createSendMailJob({
  database,
  events,
  fieldCipher,
  mailProvider,
  mailFrom,
  mailDomain,
}: SendMailServices): JobHandler {
  return async ({ mailId }) => {
    const pendingMail = typeof mailId === 'string' ? await findPendingMail(database.client, mailId) : null;
    if (!pendingMail) return;
    if (pendingMail.template === DISCARDED_TEMPLATE) return markMailSent(database.client, pendingMail.id);
    const place = { table: 'outgoing_mails', column: 'content', rowId: pendingMail.id, ownerId: '' };
    try {
      const content = fieldCipher.decrypt<StoredMailContent>(place, pendingMail.content);
      await mailProvider.send({
        ...content,
        from: mailFrom,
        messageId: createMessageId(pendingMail.id, mailDomain),
      });
    } catch (error) {
      const { reason, permanent, integrityFailure } = toMailFailure(error);
      const isLast = permanent || pendingMail.attempts + 1 >= MAX_SEND_ATTEMPTS;
      await database.transaction(async (tx) => {
        if (integrityFailure && pendingMail.reason !== INTEGRITY_FAILURE_REASON)
          await insertAuditEntry(tx, { ...toIntegrityFailureEntry(integrityFailure), ...JOB_ORIGIN });
        await (isLast ? markMailFailed : recordFailedAttempt)(tx, pendingMail.id, reason);
        await events.publish(tx, 'mail.settled', {
          mailIds: [pendingMail.id],
          wasAttempted: true,
          status: isLast ? 'FAILED' : 'WAITING',
          reason: toDeliveryReason({ permanent, integrityFailure, isLast }),
        });
      });
      if (isLast) return;
      throw error;
    }
    await database.transaction(async (tx) => {
      await markMailSent(tx, pendingMail.id);
      await events.publish(tx, 'mail.settled', {
        mailIds: [pendingMail.id],
        wasAttempted: true,
        status: 'DELIVERED',
        reason: null,
      });
    });
  };
}

/** What is said of it at the notification that the mail is of. */
function toDeliveryReason(failure: {
  permanent: boolean;
  integrityFailure: unknown;
  isLast: boolean;
}): string {
  if (failure.integrityFailure) return INTEGRITY_FAILURE_REASON;
  if (failure.permanent) return 'REFUSED';
  return failure.isLast ? 'GIVEN_UP' : 'SERVER_BUSY';
}

/** Why a mail was not sent, as a word. One that does not open is tried again: a key may be one that is not known here yet. */
function toMailFailure(error: unknown): {
  reason: string;
  permanent: boolean;
  integrityFailure?: IntegrityFailure;
} {
  if (error instanceof MailError) return { reason: error.message, permanent: error.permanent };
  if (error instanceof ServiceError && error.integrityFailure)
    return { reason: INTEGRITY_FAILURE_REASON, permanent: false, integrityFailure: error.integrityFailure };
  return { reason: 'UNEXPECTED', permanent: false };
}
