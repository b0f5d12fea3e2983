import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { type Html, html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { isBrowserRegistered } from '../../notifications/index.ts';
import { renderForm } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import { getAccountPath, getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { SERVICE_WORKER_PATH } from './service-worker.ts';

interface WebPushOffer {
  text: string;
  button: string;
  /** The code whose page is shown afterwards. */
  code?: { accountId: string; id: string };
}

/** Render the button that registers the browser for push notifications; the script `web-push` tells when it cannot. */
export function renderWebPushOffer(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { text, button, code }: WebPushOffer,
): Html {
  const locale = chooseOwnerPageLocale(request);
  const { id } = requireAuthenticatedUser(request);
  const worker = `${getOwnerPagesPath(services)}/${SERVICE_WORKER_PATH}`;
  const form = renderForm({
    action: `${getAccountPath(services, id)}/settings/notifications/web-push`,
    token: getFormToken(services, request, reply),
    submit: button,
    hidden: {
      endpoint: '',
      p256dh: '',
      auth: '',
      applicationServerKey: '',
      codeAccountId: code?.accountId,
      codeId: code?.id,
    },
    kind: 'plain',
  });
  const state = (name: string, message: string) =>
    html`<p class="small" data-when="${name}" hidden>${message}</p>`;
  return html`<div data-script="web-push" data-key="${services.webPush.publicKey}" data-worker="${worker}"><p>${text}</p>
<div data-when="ready" hidden>${form}</div><p class="small" data-when="start">${t(locale, 'app.webPush.noScript')}</p>${state(
    'unsupported',
    t(locale, 'app.webPush.unsupported'),
  )}${state('denied', t(locale, 'app.webPush.denied'))}<p class="error" role="alert" data-when="failed" hidden>${t(locale, 'app.webPush.failed')}</p></div>`;
}

/** After a loss was reported: offer to be told on this phone. Null where it is already. */
export async function renderOfferAfterLoss(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { done, id }: { done?: string | undefined; id?: string | undefined },
): Promise<Html | null> {
  if (done !== 'lost' || id === undefined) return null;
  if (await isBrowserRegistered(services, requireAuthenticatedUser(request))) return null;
  const locale = chooseOwnerPageLocale(request);
  return renderWebPushOffer(services, request, reply, {
    text: t(locale, 'app.webPush.lostText'),
    button: t(locale, 'app.webPush.lostButton'),
    code: { accountId: requireAccount(request).id, id },
  });
}
