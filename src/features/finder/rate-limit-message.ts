import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWait } from '../../shared/i18n/wait.ts';
import { findOngoingConversation } from './conversation-access.ts';
import type { FinderServices } from './finder-services.ts';

/** Set Retry-After and render the message, with a link to the ongoing conversation if there is one. */
export async function setRetryAfterAndRenderMessage(
  services: FinderServices,
  reply: FastifyReply,
  codeId: string,
  retryAfterSeconds = 60,
  locale: Locale,
): Promise<Html> {
  const { tag } = locale;
  reply.header('Retry-After', retryAfterSeconds);
  const ongoing = await findOngoingConversation(services, codeId, reply.request.headers.cookie);
  const link =
    ongoing && html` <a href="${ongoing.address}?lang=${tag}">${t(locale, 'conversation.openButton')}</a>`;
  return html`${t(locale, 'conversation.tooMany')} ${translateWait(locale, retryAfterSeconds)}${link}`;
}
