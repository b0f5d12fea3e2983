import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { hashMailbox, hashMailRecipient } from './mail-outbox.ts';
import { listMailsWaitingFor, type WaitingMailRow } from './outbox.repository.ts';
import { isMailSuppressed } from './suppression.repository.ts';

/** What the outbox knows about the mails to one address. Sent and failed mails no longer know their recipient. */
export interface RecipientMails {
  /** Whether the recipient stopped all mails that others can cause. */
  isSuppressed: boolean;
  /** Oldest first. */
  waiting: WaitingMailRow[];
}

/** Read whether mails reach an address, without their content. */
export async function readRecipientMails(
  { database, fieldCipher }: { database: { client: Db }; fieldCipher: FieldCipher },
  email: string,
): Promise<RecipientMails> {
  const [isSuppressed, waiting] = await Promise.all([
    isMailSuppressed(database.client, hashMailbox(fieldCipher, email)),
    listMailsWaitingFor(database.client, hashMailRecipient(fieldCipher, email)),
  ]);
  return { isSuppressed, waiting };
}
