import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { Brand } from '../../shared/brand.ts';
import { toMailbox } from '../../shared/email.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { generateId } from '../../shared/ids.ts';
import { type MailTemplateName, type MailTemplateValues, renderMail } from './mail-templates.ts';
import { DISCARDED_MAIL_TEMPLATE, findRecipientSettings, insertOutgoingMail } from './outbox.repository.ts';
import { MAIL_QUEUE, type StoredMailContent } from './send-mail.job.ts';
import { createSuppressionUrl } from './suppression-token.ts';
import { consumeUnsolicitedMail, findUnsolicitedMailLimit } from './unsolicited-mail-limits.ts';

export interface OutgoingMail<T extends MailTemplateName> {
  template: T;
  to: string;
  values: MailTemplateValues[T];
  /** BCP 47, for a deleted account; by default that of the account with this address. */
  language?: string;
  /** Of the times in it; by default that of the account with this address. */
  timeZone?: string;
  /** Store the mail but do not send it, so that timing does not reveal whether there is a recipient. */
  isDiscarded?: boolean;
  /** Absent for security mails, which cannot be disabled. */
  unsubscribeUrl?: string;
  /** Where the link in the text leads; by default to the same address. */
  unsubscribePageUrl?: string;
}

export interface MailOutbox {
  /** Insert a mail and its job in the transaction, and return the mail's id. */
  enqueue<T extends MailTemplateName>(tx: Tx, mail: OutgoingMail<T>): Promise<string>;
  /** Send waiting mails now; call it after the commit. */
  wake(): void;
}

export function createMailOutbox(services: {
  fieldCipher: FieldCipher;
  jobs: JobScheduler;
  brand: Brand;
  publicBaseUrl: string;
}): MailOutbox {
  const { fieldCipher, jobs } = services;
  return {
    async enqueue(tx, mail) {
      const { template, to, values, language, isDiscarded, unsubscribeUrl } = mail;
      const kind = mail.unsubscribePageUrl ?? unsubscribeUrl;
      // Always queried, so that timing does not reveal whether the address has an account.
      const known = await findRecipientSettings(tx, to);
      const locale = toSupportedLocale(language ?? known.language);
      const timeZone = mail.timeZone ?? known.timeZone;
      const id = generateId();
      const place = { table: 'outgoing_mails', column: 'content', rowId: id, ownerId: '' };
      const recipientHash = hashMailRecipient(fieldCipher, to);
      const limit = findUnsolicitedMailLimit(template, values);
      const mailboxHash = hashMailbox(fieldCipher, to);
      const address = limit ? createSuppressionUrl(services, mailboxHash) : undefined;
      const headerUrl = unsubscribeUrl ?? address;
      const content = fieldCipher.encrypt(place, {
        to,
        ...renderMail(template, values, locale, services, { to, timeZone, kind, address }),
        ...(headerUrl ? { unsubscribeUrl: headerUrl } : {}),
      } satisfies StoredMailContent);
      // A discarded mail counts for nobody, with the same statements.
      const countedHash = isDiscarded ? hashMailRecipient(fieldCipher, `discarded ${to}`) : mailboxHash;
      const reason = limit && (await consumeUnsolicitedMail(tx, limit, countedHash));
      await insertOutgoingMail(tx, {
        id,
        template: reason || isDiscarded ? DISCARDED_MAIL_TEMPLATE : template,
        content,
        recipientHash,
        reason,
      });
      await jobs.enqueue(tx, MAIL_QUEUE, { mailId: id });
      return id;
    },
    wake: () => jobs.wake(MAIL_QUEUE),
  };
}

/** Hash an address to find its waiting mails: keyed, 32 bytes. */
export function hashMailRecipient(fieldCipher: FieldCipher, to: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('mail-recipient', to);
}

/** Hash the mailbox that limits and suppressions apply to, with all its subaddresses. */
export function hashMailbox(fieldCipher: FieldCipher, to: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('mailbox', toMailbox(to));
}
