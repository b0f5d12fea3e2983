import { definePersonalData } from '../../platform/personal-data.ts';
import { hashRecipient } from './mail-outbox.ts';
import { markRecipientMailsFailed } from './outbox.repository.ts';

export const mailPersonalData = definePersonalData({
  tables: {
    outgoing_mails: {
      exported: { not: 'went to the person' },
      erased: 'EMPTIED',
      how: 'Mails that wait for the address are given up, with their content; only the one that tells of the erasure is sent.',
      columns: {
        retained: ['id', 'template', 'status', 'attempts', 'reason', 'created_at', 'sent_at'],
        emptied: ['content', 'recipient_hash'],
      },
      eraseWithAccount: (tx, { email, fieldCipher }) =>
        markRecipientMailsFailed(tx, hashRecipient(fieldCipher, email)),
    },
  },
});
