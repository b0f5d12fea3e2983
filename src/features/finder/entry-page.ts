import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { openEntry } from '../memory-tags/guest-book-content.ts';
import { entryOfToken, entryToken } from '../memory-tags/withdraw-entry.ts';
import { codePath, type FinderServices } from './finder-services.ts';
import { sendMessage, sendPage } from './page-frame.ts';
import { linkToKeep } from './sections/way-to.ts';

/** Says to whoever wrote an entry by which link they withdraw it. */
export function wayToWithdraw(
  { fieldCipher, publicBaseUrl }: Pick<FinderServices, 'fieldCipher' | 'publicBaseUrl'>,
  { codeId, entryId }: { codeId: string; entryId: string },
  locale: Locale,
): Html {
  const link = `${publicBaseUrl}/s/${codeId}/entries/${entryToken(fieldCipher, entryId)}`;
  return html`\n<p>${t(locale, 'memorial.withdrawKeep')}</p>\n${linkToKeep(link)}`;
}

/** Sends an entry to whoever wrote it, with the button that withdraws it. Throws NOT_FOUND, DATA_INTEGRITY. */
export async function sendOwnEntry(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  reply: FastifyReply,
  { codeId, token }: { codeId: string; token: string },
  locale: Locale,
): Promise<FastifyReply> {
  const { tag } = locale;
  const { name, message } = openEntry(services.fieldCipher, await entryOfToken(services, token));
  const address = `${codePath(services, codeId)}/entries/${token}`;
  return sendPage(reply, {
    ...{ status: 200, locale, title: t(locale, 'memorial.signLabel'), address },
    body: html`<h1>${t(locale, 'memorial.signLabel')}</h1>
<p class="kind"><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi></p>
<p class="text">${message}</p>
<form method="post" action="${address}/withdraw?lang=${tag}#answer"><p>${t(locale, 'memorial.withdrawText')}</p>
<button>${t(locale, 'memorial.withdrawButton')}</button></form>`,
  });
}

/** Says that an entry was withdrawn, or that it is not there. */
export function sendNoEntry(reply: FastifyReply, isWithdrawn: boolean, locale: Locale): FastifyReply {
  const [status, text] = isWithdrawn
    ? [200, t(locale, 'memorial.withdrawDone')]
    : [404, t(locale, 'memorial.withdrawNotFound')];
  return sendMessage(reply, { status, locale, address: null, title: t(locale, 'memorial.signLabel'), text });
}
