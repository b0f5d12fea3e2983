import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { EventName } from '../../shared/event-types.ts';
import { createMailUnsubscribeUrl, type MailOutbox } from '../mail/index.ts';
import type { ReplyNotification } from './conversation-services.ts';
import { createConversationToken } from './conversation-token.ts';

/** The kind of these mails. Their subject is the conversation. */
export const REPLY_MAIL_KIND = 'message.replied' satisfies EventName;

interface MailReplyServices {
  fieldCipher: FieldCipher;
  mailOutbox: MailOutbox;
  publicBaseUrl: string;
}

/** Enqueue a mail about a reply in the transaction that stores it. The mail does not contain the reply. */
export async function enqueueReplyNotificationMail(
  services: MailReplyServices,
  tx: Tx,
  notification: ReplyNotification,
): Promise<void> {
  const { fieldCipher, mailOutbox, publicBaseUrl } = services;
  const { qrCodeId, conversationId, email: to, language } = notification;
  const link = `${publicBaseUrl}/s/${qrCodeId}/c/${createConversationToken(fieldCipher, conversationId, 'FINDER')}`;
  const unsubscribe = {
    unsubscribeUrl: createMailUnsubscribeUrl(services, {
      subjectId: conversationId,
      mailKind: REPLY_MAIL_KIND,
    }),
  };
  await mailOutbox.enqueue(tx, {
    template: 'REPLY_RECEIVED',
    to,
    values: { link },
    language,
    ...unsubscribe,
  });
}
