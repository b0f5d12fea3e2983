import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { sendSettingsPage } from '../settings/settings-page.ts';

interface SecretPage {
  title: string;
  text: string;
  secret: string;
  /** What to do with it. */
  more?: Html;
  /** The page that follows. */
  nextPath: string;
}

/** Send the only answer that has a secret: no page that follows can show it. */
export function sendSecretPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { title, text, secret, more, nextPath }: SecretPage,
): FastifyReply {
  const locale = chooseOwnerPageLocale(request);
  return sendSettingsPage(services, request, reply, {
    tab: 'developers',
    title,
    isNarrow: true,
    body: html`<p>${text}</p>
<pre id="secret" dir="ltr">${secret}</pre>
${more}<p class="actions"><button type="button" class="plain" data-script="copy" data-copies="secret" hidden>${t(locale, 'app.settings.recoveryCodes.copy')}</button>
<a class="act" href="${nextPath}">${t(locale, 'app.developers.copied')}</a></p>`,
  });
}
