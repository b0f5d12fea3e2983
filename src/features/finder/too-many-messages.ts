import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import { type Language, sayWait } from '../../shared/languages/language.ts';
import type { FinderServices } from './finder-services.ts';
import { begunConversation } from './opened-conversation.ts';

/** Says that too much was written about a code, and when one can again; in an open conversation one still can. */
export async function tooManyMessages(
  services: FinderServices,
  reply: FastifyReply,
  codeId: string,
  retryAfterSeconds = 60,
  language: Language,
): Promise<Html> {
  const { conversation, tag } = language;
  reply.header('Retry-After', retryAfterSeconds);
  const begun = await begunConversation(services, codeId, reply.request.headers.cookie);
  const way = begun && html` <a href="${begun.address}?lang=${tag}">${conversation.openButton}</a>`;
  return html`${conversation.tooMany} ${sayWait(language, retryAfterSeconds)}${way}`;
}
