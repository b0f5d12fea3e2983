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
import { PAGE_SCRIPT_PATH } from '../owner-pages/index.ts';
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
  // Only here: every other answer forbids the camera.
  if (config.ownerPages) reply.header('Permissions-Policy', 'camera=(self)');
  const mailbox = html`<li><a href="${basePath}/api/sandbox/mailbox">${t(locale, 'start.mailbox')}</a> ${t(locale, 'start.mailboxText')}</li>`;
  return sendLocalizedHtmlPage(reply, {
    status: rejected?.status ?? 200,
    locale,
    title: brand.name,
    address: `${basePath}/`,
    fetchesUpdates: config.ownerPages,
    body: html`<h1>${brand.name}</h1>
<section><h2>${t(locale, 'start.foundTitle')}</h2>
<p>${t(locale, 'start.foundText')}</p>
${renderNumberForm(`${basePath}/`, locale, rejected)}
${config.ownerPages && renderCamera(services, request, locale)}</section>
${config.ownerPages ? renderWelcome(basePath, locale) : html`<p>${t(locale, 'start.text')}</p>`}
<section><ul><li><a href="${basePath}/api/docs">${t(locale, 'start.reference')}</a></li>
<li><a href="${basePath}/api/docs/json">${t(locale, 'start.openApi')}</a></li>
${hasMailbox && mailbox}</ul></section>
${!config.production && (await renderDevelopmentSection(services, basePath, locale))}
<p class="kind">${t(locale, 'start.version', { version: SERVICE_VERSION })}</p>`,
  });
}

/** Render the button that reads a code with the camera; a script shows it where the browser can. */
function renderCamera(
  { publicBaseUrl }: Pick<StartPageServices, 'publicBaseUrl'>,
  request: FastifyRequest,
  locale: Locale,
): Html {
  const basePath = getBasePath(publicBaseUrl);
  return html`<div data-script="camera" data-prefix="${publicBaseUrl}/s/" data-path="${basePath}/s/" data-query="${getLanguageQuery(request)}" data-opening="${t(locale, 'start.camera.opening')}" data-aim="${t(locale, 'start.camera.aim')}" data-foreign="${t(locale, 'start.camera.foreign')}" data-denied="${t(locale, 'start.camera.denied')}" data-failed="${t(locale, 'start.camera.failed')}" data-photo="${basePath}/app/read-photo" data-reading="${t(locale, 'start.camera.reading')}" data-unread="${t(locale, 'start.camera.unread')}" data-later="${t(locale, 'finder.failedText')}" hidden><video playsinline muted aria-hidden="true" hidden></video><p hidden><button type="button" class="plain">${t(locale, 'start.camera.button')}</button></p><p hidden><button type="button" class="plain">${t(locale, 'start.camera.stop')}</button></p><div hidden><label for="photo">${t(locale, 'start.camera.photo')}</label><input type="file" id="photo" accept="image/*" capture="environment"></div><p role="status"></p></div><script src="${basePath}/app/${PAGE_SCRIPT_PATH}" defer></script>`;
}

/** The language that was chosen on the page goes on; others follow the browser. */
export function getLanguageQuery(request: FastifyRequest): string {
  const { tag } = choosePageLocale(request);
  return Reflect.get(Object(request.query), 'lang') === tag ? `?lang=${tag}` : '';
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
