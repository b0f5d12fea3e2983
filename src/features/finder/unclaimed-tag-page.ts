import type { FastifyReply } from 'fastify';
import { FORM_RESULT_HTML_ATTRIBUTES, sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../shared/i18n/translate.ts';
import { type ClaimableTag, toPageDesign } from '../codes/index.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';
import { translateQrCodeKind } from './formatters.ts';

/** Send the page of a tag that nobody owns yet: who made it, what it is for, and the way to claim it. */
export function sendUnclaimedTagPage(
  services: Pick<FinderServices, 'publicBaseUrl' | 'ownerPagesUrl'>,
  reply: FastifyReply,
  { qrCodeId, kind, accountName, pageDesign }: ClaimableTag,
  locale: Locale,
): FastifyReply {
  const { ownerPagesUrl } = services;
  const title = t(locale, 'finder.claimTitle');
  const { accentColor } = toPageDesign(pageDesign);
  const claimUrl = ownerPagesUrl && `${ownerPagesUrl}/claim/${qrCodeId}?lang=${locale.tag}`;
  return sendLocalizedHtmlPage(reply, {
    status: 200,
    locale,
    address: getQrCodePagePath(services, qrCodeId),
    title,
    ...(accentColor && { accentColor }),
    body: html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${title}</h1>
<p>${translateQrCodeKind(locale, kind)}${accountName && html` · ${translateHtml(locale, 'finder.claimFrom', { name: html`<b><bdi>${accountName}</bdi></b>` })}`}</p></div>
<p>${claimUrl ? t(locale, 'finder.claimText') : t(locale, 'finder.unclaimedText')}</p>${claimUrl && html`<p><a class="act" href="${claimUrl}">${t(locale, 'finder.claimButton')}</a></p>`}`,
  });
}
