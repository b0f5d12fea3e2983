import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import type { Language } from '../../shared/languages/language.ts';
import { openEntry } from '../memory-tags/guest-book-content.ts';
import { entryOfToken, entryToken } from '../memory-tags/withdraw-entry.ts';
import { codePath, type FinderServices } from './finder-services.ts';
import { sendMessage, sendPage } from './page-frame.ts';
import { linkToKeep } from './sections/way-to.ts';

/** Says to whoever wrote an entry by which link they withdraw it. */
export function wayToWithdraw(
  { vault, publicBaseUrl }: Pick<FinderServices, 'vault' | 'publicBaseUrl'>,
  { codeId, entryId }: { codeId: string; entryId: string },
  { memorial }: Language,
): Html {
  const link = `${publicBaseUrl}/s/${codeId}/entries/${entryToken(vault, entryId)}`;
  return html`\n<p>${memorial.withdrawKeep}</p>\n${linkToKeep(link)}`;
}

/** Sends an entry to whoever wrote it, with the button that withdraws it. Throws NOT_FOUND, DATA_INTEGRITY. */
export async function sendOwnEntry(
  services: Pick<FinderServices, 'database' | 'vault' | 'publicBaseUrl'>,
  reply: FastifyReply,
  { codeId, token }: { codeId: string; token: string },
  language: Language,
): Promise<FastifyReply> {
  const { memorial, tag } = language;
  const { name, message } = openEntry(services.vault, await entryOfToken(services, token));
  const address = `${codePath(services, codeId)}/entries/${token}`;
  return sendPage(reply, {
    ...{ status: 200, language, title: memorial.signLabel, address },
    body: html`<h1>${memorial.signLabel}</h1>
<p class="kind"><bdi>${name ?? memorial.guestBookNameless}</bdi></p>
<p class="text">${message}</p>
<form method="post" action="${address}/withdraw?lang=${tag}#answer"><p>${memorial.withdrawText}</p>
<button>${memorial.withdrawButton}</button></form>`,
  });
}

/** Says that an entry was withdrawn, or that it is not there. */
export function sendNoEntry(reply: FastifyReply, isWithdrawn: boolean, language: Language): FastifyReply {
  const { signLabel: title, withdrawDone, withdrawGone } = language.memorial;
  const [status, text] = isWithdrawn ? [200, withdrawDone] : [404, withdrawGone];
  return sendMessage(reply, { status, language, address: null, title, text });
}
