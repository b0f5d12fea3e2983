import type { Tx } from '../../platform/database.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { Vault } from '../../platform/vault.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { newId } from '../../shared/ids.ts';
import { type MailTemplate, type MailValues, renderMail } from './mail-templates.ts';
import { insertMail, languageOfAddress } from './outbox.repository.ts';
import { DISCARDED, MAIL_QUEUE, type MailContent } from './send-mail.job.ts';

export interface Mail<T extends MailTemplate> {
  template: T;
  to: string;
  values: MailValues[T];
  /** BCP 47, where the account does not say it any more; that of the account with this address when left out. */
  language?: string;
  /** Write it like any other and throw it away unsent: so that the time does not tell whether there is a recipient. */
  discarded?: boolean;
  /** Where mails of this kind end; none for those that guard an account. */
  unsubscribeUrl?: string;
}

/** Takes mails in the transaction of what causes them. */
export interface PostOffice {
  /** Writes the mail and its job; both exist exactly when the transaction commits. Answers the mail's id. */
  post<T extends MailTemplate>(tx: Tx, mail: Mail<T>): Promise<string>;
  /** Has waiting mails sent now instead of at the next poll: call it after the commit. */
  wake(): void;
}

/** Builds the post office over the outbox and the queue. */
export function createPostOffice(services: { vault: Vault; jobs: Jobs }): PostOffice {
  const { vault, jobs } = services;
  return {
    async post(tx, { template, to, values, language, discarded, unsubscribeUrl }) {
      // Looked up in any case, so that the time does not tell whether the address has an account.
      const known = await languageOfAddress(tx, to);
      const locale = toLocale(language ?? known);
      const id = newId();
      const place = { table: 'outgoing_mails', column: 'content', rowId: id, ownerId: '' };
      const content = vault.seal(place, {
        to,
        ...renderMail(template, values, locale, unsubscribeUrl),
        ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
      } satisfies MailContent);
      const recipientHash = recipientHashOf(vault, to);
      await insertMail(tx, { id, template: discarded ? DISCARDED : template, content, recipientHash });
      await jobs.enqueue(tx, MAIL_QUEUE, { mailId: id });
      return id;
    },
    wake: () => jobs.wake(MAIL_QUEUE),
  };
}

/** By what the mails that wait for an address are found: a keyed hash of 32 bytes. */
export function recipientHashOf(vault: Vault, to: string): Buffer<ArrayBuffer> {
  return vault.hash('mail-recipient', to);
}
