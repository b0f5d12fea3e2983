import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { findUser } from '../accounts/user.repository.ts';
import type { PostOffice } from '../mails/post-office.ts';
import { insertNotification } from '../notifications/insert-notification.repository.ts';
import { messageNotification } from '../notifications/new-notifications.ts';
import type { AnswerNews, MessageNews } from './conversation-services.ts';
import { conversationToken } from './conversation-token.ts';

interface Services {
  vault: Vault;
  postOffice: PostOffice;
  publicBaseUrl: string;
}

/**
 * Tells an owner that a finder wrote, in the transaction that stores it: each time in the application, and by a mail with
 * the way to answer where nothing else of this finder waits to be read. Neither holds a word of the message.
 */
export async function tellOwner(services: Services, tx: Tx, news: MessageNews): Promise<void> {
  const { vault, postOffice, publicBaseUrl } = services;
  const { ownerId, qrCodeId, conversationId, title, isFirstUnread } = news;
  await insertNotification(tx, messageNotification(news));
  if (!isFirstUnread) return;
  const owner = await findUser(tx, ownerId);
  if (!owner) return;
  const link = `${publicBaseUrl}/s/${qrCodeId}/c/${conversationToken(vault, conversationId, 'OWNER')}`;
  await postOffice.post(tx, { template: 'MESSAGE_RECEIVED', to: owner.email, values: { code: title, link } });
}

/** Tells a finder by mail that there is an answer, in the transaction that stores it. It holds no word of the answer. */
export async function mailAnswer(services: Services, tx: Tx, news: AnswerNews): Promise<void> {
  const { vault, postOffice, publicBaseUrl } = services;
  const { qrCodeId, conversationId, email: to, language } = news;
  const link = `${publicBaseUrl}/s/${qrCodeId}/c/${conversationToken(vault, conversationId, 'FINDER')}`;
  await postOffice.post(tx, { template: 'ANSWER_RECEIVED', to, values: { link }, language });
}
