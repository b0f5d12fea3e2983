import type { FastifyReply } from 'fastify';
import { sendLocalizedHtmlPage, sendLocalizedMessagePage } from '../../platform/pages/page-frame.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import {
  createGuestBookWithdrawalToken,
  GUEST_BOOK_ENTRY,
  requireGuestBookEntryByToken,
} from '../memory-tags/index.ts';
import { type FinderServices, getCopyScriptPath, getQrCodePagePath } from './finder-services.ts';
import { renderPrivateLink } from './sections/contact.ts';

export function renderGuestBookWithdrawalLink(
  services: Pick<FinderServices, 'fieldCipher' | 'publicBaseUrl'>,
  { codeId, entryId }: { codeId: string; entryId: string },
  locale: Locale,
): Html {
  const token = createGuestBookWithdrawalToken(services.fieldCipher, entryId);
  const link = `${services.publicBaseUrl}/s/${codeId}/entries/${token}`;
  return html`\n<p>${t(locale, 'memorial.withdrawKeep')}</p>
${renderPrivateLink(link, t(locale, 'memorial.withdrawLink'), { copyScript: getCopyScriptPath(services), locale })}`;
}

/** Send an entry with a button to withdraw it. @throws NOT_FOUND, DATA_INTEGRITY */
export async function sendGuestBookWithdrawalPage(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  reply: FastifyReply,
  { codeId, token }: { codeId: string; token: string },
  locale: Locale,
): Promise<FastifyReply> {
  const { tag } = locale;
  const { name, message } = GUEST_BOOK_ENTRY.decrypt(
    services.fieldCipher,
    await requireGuestBookEntryByToken(services, token),
  );
  const address = `${getQrCodePagePath(services, codeId)}/entries/${token}`;
  return sendLocalizedHtmlPage(reply, {
    status: 200,
    locale,
    title: t(locale, 'memorial.signLabel'),
    address,
    body: html`<h1>${t(locale, 'memorial.signLabel')}</h1>
<p class="kind"><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi></p>
<p class="text">${message}</p>
<form method="post" action="${address}/withdraw?lang=${tag}#answer"><p>${t(locale, 'memorial.withdrawText')}</p>
<button>${t(locale, 'memorial.withdrawButton')}</button></form>`,
  });
}

export function sendGuestBookEntryRemovedPage(
  reply: FastifyReply,
  isWithdrawn: boolean,
  locale: Locale,
): FastifyReply {
  const [status, text] = isWithdrawn
    ? [200, t(locale, 'memorial.withdrawDone')]
    : [404, t(locale, 'memorial.withdrawNotFound')];
  return sendLocalizedMessagePage(reply, {
    status,
    locale,
    address: null,
    title: t(locale, 'memorial.signLabel'),
    text,
  });
}
