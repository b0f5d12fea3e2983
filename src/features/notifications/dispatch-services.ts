import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { MailOutbox } from '../mail/index.ts';
import type { PushOutbox } from './push/push-outbox.ts';

/** What sending notifications works with. */
export interface DispatchServices {
  database: Database;
  fieldCipher: FieldCipher;
  mailOutbox: MailOutbox;
  pushOutbox: PushOutbox;
  publicBaseUrl: string;
  /** Where the application is that links in mails lead to; null where there is none. */
  applicationUrl: string | null;
  log: { error(details: object, message: string): void };
}
