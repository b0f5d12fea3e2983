import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { MailOutbox } from '../mail/index.ts';
import type { PushOutbox } from './push/push-outbox.ts';

export interface NotificationDispatchServices {
  database: Database;
  fieldCipher: FieldCipher;
  mailOutbox: MailOutbox;
  pushOutbox: PushOutbox;
  publicBaseUrl: string;
  isEnterpriseEnforced: boolean;
  /** Base URL of links to the pages for owners; null where they are off, or mails lead elsewhere. */
  ownerPagesUrl: string | null;
  /** Base URL of links to the application; null where none is configured. */
  applicationUrl: string | null;
  log: { error(details: object, message: string): void };
}
