import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Vault } from '../../platform/vault.ts';
import { MailError, type MailProvider, messageIdFor } from '../../providers/mail/mail.port.ts';
import { findWaitingMail, giveUp, markSent, noteFailedTry } from './outbox.repository.ts';
import { DISCARDED, type MailContent } from './post-office.ts';

/** Tries after which a mail is given up; about an hour with the queue's growing pauses. */
const MAX_ATTEMPTS = 9;

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
    const content = vault.open<MailContent>(place, waiting.content);
    try {
      await mail.send({ ...content, from: mailFrom, messageId: messageIdFor(waiting.id, mailDomain) });
    } catch (error) {
      const reason = error instanceof MailError ? error.message : 'UNEXPECTED';
      const permanent = error instanceof MailError && error.permanent;
      if (permanent || waiting.attempts + 1 >= MAX_ATTEMPTS)
        return giveUp(database.client, waiting.id, reason);
      await noteFailedTry(database.client, waiting.id, reason);
      throw error;
    }
    await markSent(database.client, waiting.id);
  };
}
