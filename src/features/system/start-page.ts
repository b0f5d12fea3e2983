import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getBasePath } from '../../shared/base-path.ts';
import type { Brand } from '../../shared/brand.ts';
import { type Html, html } from '../../shared/html.ts';
import { formatMessage } from '../../shared/i18n/format-message.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { SERVICE_VERSION } from '../../shared/version.ts';
import { findDemoQrCodes } from '../codes/index.ts';
import { isLocalRequest } from './local-request.ts';
import { type RejectedNumber, renderNumberForm } from './number-form.ts';

export interface StartPageServices {
  config: { production: boolean; smtpUrl: unknown; ownerPages: boolean };
  brand: Brand;
  database: Database;
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

const MAX_DEMO_CODES = 8;

/** Send a page for people who open the address of the service in a browser. */
export async function sendStartPage(
  services: StartPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  rejected?: RejectedNumber,
): Promise<FastifyReply> {
  const { config, brand, publicBaseUrl } = services;
  const locale = choosePageLocale(request);
  const basePath = getBasePath(publicBaseUrl);
  const hasMailbox = !config.production && !config.smtpUrl && isLocalRequest(request);
  const mailbox = html`<li><a href="${basePath}/api/sandbox/mailbox">${t(locale, 'start.mailbox')}</a> ${t(locale, 'start.mailboxText')}</li>`;
  return sendLocalizedHtmlPage(reply, {
    status: rejected?.status ?? 200,
    locale,
    title: brand.name,
    address: `${basePath}/`,
    body: html`<h1>${brand.name}</h1>
<section><h2>${t(locale, 'start.foundTitle')}</h2>
<p>${t(locale, 'start.foundText')}</p>
${renderNumberForm(`${basePath}/`, locale, rejected)}</section>
${config.ownerPages ? renderWelcome(basePath, locale) : html`<p>${t(locale, 'start.text')}</p>`}
<section><ul><li><a href="${basePath}/api/docs">${t(locale, 'start.reference')}</a></li>
<li><a href="${basePath}/api/docs/json">${t(locale, 'start.openApi')}</a></li>
${hasMailbox && mailbox}</ul></section>
${!config.production && (await renderDevelopmentSection(services, basePath, locale))}
<p class="kind">${t(locale, 'start.version', { version: SERVICE_VERSION })}</p>`,
  });
}

/** What owners come for. */
function renderWelcome(basePath: string, locale: Locale): Html {
  const { tag } = locale;
  return html`<section><h2>${t(locale, 'start.ownTitle')}</h2>
<p>${t(locale, 'start.ownText')}</p>
<p><a class="act" href="${basePath}/app/start?lang=${tag}">${t(locale, 'start.getStarted')}</a> <a class="act plain" href="${basePath}/app/sign-in?lang=${tag}">${t(locale, 'signIn.title')}</a></p></section>`;
}

async function renderDevelopmentSection(
  { database }: Pick<StartPageServices, 'database'>,
  basePath: string,
  locale: Locale,
): Promise<Html> {
  const codes = await findDemoQrCodes(database.client, MAX_DEMO_CODES);
  // The demo creates the pet first.
  const links = codes
    .toReversed()
    .map(
      ({ id, kind, title }) =>
        html`<li><a href="${basePath}/s/${id}">${title}</a> <span class="kind">${formatMessage(locale, `kinds.${kind}`)}</span></li>\n`,
    );
  return html`<section><h2>${t(locale, 'start.demoTitle')}</h2>
${links.length > 0 ? html`<ul>${links}</ul>` : html`<p>${t(locale, 'start.demoText')} <code dir="ltr">npm run demo</code></p>`}</section>
<p>${t(locale, 'start.guides')} <code dir="ltr">docs/guides</code></p>`;
}
