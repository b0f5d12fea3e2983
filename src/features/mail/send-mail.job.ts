import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { toIntegrityFailureAuditEntry } from '../../platform/integrity-failure.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { createMailMessageId, MailError, type MailProvider } from '../../providers/mail/mail.port.ts';
import { type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import type { RenderedMail } from './mail-templates.ts';
import {
  DISCARDED_MAIL_TEMPLATE,
  findPendingMail,
  markMailFailed,
  markMailSent,
  recordFailedMailAttempt,
} from './outbox.repository.ts';

/** The queue of mails; its jobs hold only ids of the outbox. */
export const MAIL_QUEUE: JobQueueDefinition = {
  name: 'mail',
  expireInSeconds: 30,
  retryLimit: 8,
  retryDelay: 5,
};

export interface StoredMailContent extends RenderedMail {
  to: string;
  unsubscribeUrl?: string;
}

/** About one hour with the queue's growing delays. */
const MAX_SEND_ATTEMPTS = 9;

/** The mail's content failed its integrity check. */
const INTEGRITY_FAILURE_REASON = 'DATA_INTEGRITY';

const JOB_ORIGIN = { operation: MAIL_QUEUE.name, requestId: 'job' } as const;

interface SendMailServices {
  database: Database;
  events: DomainEventBus;
  fieldCipher: FieldCipher;
  mailProvider: MailProvider;
  mailFrom: string;
  /** Host name for Message-IDs. */
  mailDomain: string;
}

/**
 * Create the job that sends one mail by its id. A sent mail is skipped; a retry after a crash has the same
 * Message-ID. Throws for errors that a retry may fix.
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
    if (pendingMail.template === DISCARDED_MAIL_TEMPLATE)
      return database.transaction(async (tx) => {
        await markMailSent(tx, pendingMail.id);
        const reason = pendingMail.reason === 'SUPPRESSED' ? 'SWITCHED_OFF' : 'TOO_MANY';
        const mailIds = [pendingMail.id];
        await events.publish(tx, 'mail.settled', { mailIds, isAttempted: false, status: 'NOT_SENT', reason });
      });
    const place = { table: 'outgoing_mails', column: 'content', rowId: pendingMail.id, ownerId: '' };
    try {
      const content = fieldCipher.decrypt<StoredMailContent>(place, pendingMail.content);
      await mailProvider.send({
        ...content,
        from: mailFrom,
        messageId: createMailMessageId(pendingMail.id, mailDomain),
      });
    } catch (error) {
      const { reason, permanent, integrityFailure } = toMailFailure(error);
      const isLast = permanent || pendingMail.attempts + 1 >= MAX_SEND_ATTEMPTS;
      await database.transaction(async (tx) => {
        if (integrityFailure && pendingMail.reason !== INTEGRITY_FAILURE_REASON)
          await insertAuditEntry(tx, { ...toIntegrityFailureAuditEntry(integrityFailure), ...JOB_ORIGIN });
        await (isLast ? markMailFailed : recordFailedMailAttempt)(tx, pendingMail.id, reason);
        await events.publish(tx, 'mail.settled', {
          mailIds: [pendingMail.id],
          isAttempted: true,
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
        isAttempted: true,
        status: 'DELIVERED',
        reason: null,
      });
    });
  };
}

function toDeliveryReason(failure: {
  permanent: boolean;
  integrityFailure: unknown;
  isLast: boolean;
}): string {
  if (failure.integrityFailure) return INTEGRITY_FAILURE_REASON;
  if (failure.permanent) return 'REFUSED';
  return failure.isLast ? 'GIVEN_UP' : 'SERVER_BUSY';
}

/** Map an error to a reason code. A mail that cannot be decrypted is retried: its key may be loaded later. */
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
