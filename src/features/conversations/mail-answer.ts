import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import type { PostOffice } from '../mails/post-office.ts';
import { ANSWERS, unsubscribeUrl } from '../notifications/unsubscribe-token.ts';
import type { AnswerNews } from './conversation-services.ts';
import { conversationToken } from './conversation-token.ts';

interface Services {
  vault: Vault;
  postOffice: PostOffice;
  publicBaseUrl: string;
}

/** Tells a finder by mail that there is an answer, in the transaction that stores it. It holds no word of the answer. */
export async function mailAnswer(services: Services, tx: Tx, news: AnswerNews): Promise<void> {
  const { vault, postOffice, publicBaseUrl } = services;
  const { qrCodeId, conversationId, email: to, language } = news;
  const link = `${publicBaseUrl}/s/${qrCodeId}/c/${conversationToken(vault, conversationId, 'FINDER')}`;
  const end = { unsubscribeUrl: unsubscribeUrl(services, conversationId, ANSWERS) };
  await postOffice.post(tx, { template: 'ANSWER_RECEIVED', to, values: { link }, language, ...end });
}
