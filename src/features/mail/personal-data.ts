import { definePersonalData } from '../../platform/personal-data.ts';
import { hashMailRecipient } from './mail-outbox.ts';
import { markRecipientMailsFailed } from './outbox.repository.ts';

export const mailPersonalData = definePersonalData({
  tables: {
    mail_suppressions: {
      exported: { not: 'holds only a keyed hash of an address' },
      erased: 'NOT_PERSONAL',
      how: 'Nobody is named: a keyed hash of an address that wants no emails.',
    },
    outgoing_mails: {
      exported: { not: 'were sent to the user' },
      erased: 'EMPTIED',
      how: 'Waiting emails to the address fail and lose their content. Only the email about the erasure is sent.',
      columns: {
        retained: ['id', 'template', 'status', 'attempts', 'reason', 'created_at', 'sent_at'],
        emptied: ['content', 'recipient_hash'],
      },
      eraseWithAccount: (tx, { email, fieldCipher }) =>
        markRecipientMailsFailed(tx, hashMailRecipient(fieldCipher, email)),
    },
  },
});
