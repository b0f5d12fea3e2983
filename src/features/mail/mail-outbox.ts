import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { generateId } from '../../shared/ids.ts';
import { type MailTemplateName, type MailTemplateValues, renderMail } from './mail-templates.ts';
import { findLanguageByEmail, insertOutgoingMail } from './outbox.repository.ts';
import { DISCARDED_TEMPLATE, MAIL_QUEUE, type StoredMailContent } from './send-mail.job.ts';

export interface OutgoingMail<T extends MailTemplateName> {
  template: T;
  to: string;
  values: MailTemplateValues[T];
  /** BCP 47, where the account does not say it any more; that of the account with this address when left out. */
  language?: string;
  /** Write it like any other and throw it away unsent: so that the time does not tell whether there is a recipient. */
  isDiscarded?: boolean;
  /** Where mails of this kind end; none for those that guard an account. */
  unsubscribeUrl?: string;
}

/** Takes mails in the transaction of what causes them. */
export interface MailOutbox {
  /** Writes the mail and its job; both exist exactly when the transaction commits. Answers the mail's id. */
  enqueue<T extends MailTemplateName>(tx: Tx, mail: OutgoingMail<T>): Promise<string>;
  /** Has waiting mails sent now instead of at the next poll: call it after the commit. */
  wake(): void;
}

/** Builds the post office over the outbox and the queue. */
export function createMailOutbox(services: { fieldCipher: FieldCipher; jobs: JobScheduler }): MailOutbox {
  const { fieldCipher, jobs } = services;
  return {
    async enqueue(tx, { template, to, values, language, isDiscarded, unsubscribeUrl }) {
      // Looked up in any case, so that the time does not tell whether the address has an account.
      const known = await findLanguageByEmail(tx, to);
      const locale = toLocale(language ?? known);
      const id = generateId();
      const place = { table: 'outgoing_mails', column: 'content', rowId: id, ownerId: '' };
      const content = fieldCipher.encrypt(place, {
        to,
        ...renderMail(template, values, locale, unsubscribeUrl),
        ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
      } satisfies StoredMailContent);
      const recipientHash = hashRecipient(fieldCipher, to);
      await insertOutgoingMail(tx, {
        id,
        template: isDiscarded ? DISCARDED_TEMPLATE : template,
        content,
        recipientHash,
      });
      await jobs.enqueue(tx, MAIL_QUEUE, { mailId: id });
      return id;
    },
    wake: () => jobs.wake(MAIL_QUEUE),
  };
}

/** By what the mails that wait for an address are found: a keyed hash of 32 bytes. */
export function hashRecipient(fieldCipher: FieldCipher, to: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('mail-recipient', to);
}
