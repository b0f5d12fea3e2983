import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { createMapRenderer } from '../../../platform/maps/map-renderer.ts';
import { sendLocalizedHtmlPage, sendLocalizedMessagePage } from '../../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../../platform/pages/page-locale.ts';
import { getRequestContext, type RequestContext } from '../../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import type { CityFinder, Geocoder } from '../../../providers/geocoding/geocoding.port.ts';
import type { PaymentProvider } from '../../../providers/payments/payments.port.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { findInvoicePageUrl } from '../../billing/index.ts';
import {
  changeOwnQrCodeStatus,
  endLostReport,
  pauseActiveQrCode,
  resumeLostReport,
  resumePausedQrCode,
} from '../../codes/index.ts';
import { decideGuestBookEntry } from '../../memory-tags/index.ts';
import { readOwnerLinkCookie, serializeOwnerLinkCookie } from '../cookies.ts';
import { type FinderServices, getOwnerLinkCookieScope, getOwnerLinkPath } from '../finder-services.ts';
import { createCodeLinkPage } from './code-link-page.ts';
import { createEntryLinkPage } from './entry-link-page.ts';
import { findOwnerLinkAccess, type OwnerLinkAccess } from './owner-link-access.ts';

export interface OwnerLinkServices extends FinderServices {
  geocoder: Geocoder & CityFinder;
  applicationUrl: string | null;
  /** Null when billing is disabled. */
  payments: PaymentProvider | null;
}

const OwnerLinkParams = Type.Object({ link: Type.String() });

type OwnerLinkRequest = FastifyRequest<{ Params: Static<typeof OwnerLinkParams> }>;

const LINK_CONFIG = { access: PUBLIC_ACCESS, rateLimitClass: 'page' } as const;

const ACTIONS = {
  found: { audit: 'QRCODE_REPORTED_FOUND', change: endLostReport },
  'undo-found': { audit: 'QRCODE_REPORTED_LOST', change: resumeLostReport },
  pause: { audit: 'QRCODE_PAUSED', change: pauseActiveQrCode },
  resume: { audit: 'QRCODE_RESUMED', change: resumePausedQrCode },
  approve: { audit: 'GUEST_BOOK_ENTRY_APPROVED', state: 'APPROVED' },
  hide: { audit: 'GUEST_BOOK_ENTRY_HIDDEN', state: 'HIDDEN' },
} as const;

/**
 * Pages behind the links in mails about notifications. They only show; buttons change, since mail servers open links to
 * check them.
 */
export const ownerLinkRoutes: FastifyPluginAsyncTypebox<OwnerLinkServices> = async (app, services) => {
  const { database, fieldCipher, applicationUrl } = services;
  const maps = createMapRenderer(services.geocoder);
  app.addHook('onClose', () => maps.close());

  app.get(
    '/o/:link',
    {
      config: { ...LINK_CONFIG, audit: skipAudit('NOTIFICATION') },
      schema: { hide: true, params: OwnerLinkParams },
    },
    async (request, reply) => {
      const { link } = request.params;
      if (isId(link)) return sendPage(request, reply, await findAccessByCookie(request));
      const access = await findOwnerLinkAccess(services, link);
      if (!access || access.mustLogIn) return sendPage(request, reply, access);
      if (access.subject.name === 'invoice') {
        const url = await findInvoiceLink(access.accountId, access.subject.invoiceId);
        if (url === null) return sendErrorPage(request, reply, 'ownerLink.invoiceUnavailable');
        return reply.header('Cache-Control', 'no-store').redirect(url, 303);
      }
      // Redirect, so that the token does not stay in the URL.
      const { notificationId, owner } = access;
      return reply
        .header(
          'Set-Cookie',
          serializeOwnerLinkCookie(link, getOwnerLinkCookieScope(services, notificationId)),
        )
        .header('Cache-Control', 'no-store')
        .redirect(`${getOwnerLinkPath(services, notificationId)}?lang=${owner.language}`, 303);
    },
  );

  for (const name of ['found', 'undo-found', 'pause', 'resume', 'approve', 'hide'] as const)
    app.post(
      `/o/:link/${name}`,
      {
        config: { ...LINK_CONFIG, audit: auditAs(ACTIONS[name].audit) },
        schema: { hide: true, params: OwnerLinkParams },
      },
      async (request, reply) => {
        const access = await findAccessByCookie(request);
        if (!access || access.mustLogIn) return sendPage(request, reply, access);
        const { accountId, owner } = access;
        const context = { ...getRequestContext(request), linkUserId: owner.id, linkAccountId: accountId };
        const isDone = await applyAction(context, access, name);
        if (!isDone) return sendPage(request, reply, null);
        const { tag } = choosePageLocale(request);
        return reply
          .header('Cache-Control', 'no-store')
          .redirect(`${getOwnerLinkPath(services, access.notificationId)}?lang=${tag}#answer`, 303);
      },
    );

  /** False where the subject of the link has no such action, or is gone. */
  async function applyAction(
    context: RequestContext,
    { accountId, subject, canEdit }: OwnerLinkAccess,
    name: keyof typeof ACTIONS,
  ): Promise<boolean> {
    if (!canEdit) return false;
    const action = ACTIONS[name];
    try {
      if ('state' in action && subject.name === 'entry')
        await decideGuestBookEntry(database, context, accountId, { ...subject, state: action.state });
      else if ('change' in action && 'qrCodeId' in subject)
        await changeOwnQrCodeStatus(services, context, { accountId, id: subject.qrCodeId }, (row) =>
          action.change(row, fieldCipher),
        );
      else return false;
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'NOT_FOUND') return false;
      throw error;
    }
  }

  function findAccessByCookie({ params: { link }, headers }: OwnerLinkRequest) {
    const token = readOwnerLinkCookie(headers.cookie, getOwnerLinkCookieScope(services, link));
    return findOwnerLinkAccess(services, token?.startsWith(`${link}.`) ? token : null);
  }

  /** Null if the invoice has no page, or the provider that has it is not configured anymore. */
  async function findInvoiceLink(accountId: string, invoiceId: string): Promise<string | null> {
    try {
      return await findInvoicePageUrl(services, accountId, invoiceId);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'BILLING_DISABLED') return null;
      throw error;
    }
  }

  function sendErrorPage(
    request: OwnerLinkRequest,
    reply: FastifyReply,
    reason: 'ownerLink.invalidText' | 'ownerLink.invoiceUnavailable',
  ): FastifyReply {
    const locale = choosePageLocale(request);
    return sendLocalizedMessagePage(reply, {
      status: 404,
      locale,
      title: t(locale, 'mails.unsubscribe.invalidTitle'),
      text: t(locale, reason),
      address: null,
    });
  }

  async function sendPage(
    request: OwnerLinkRequest,
    reply: FastifyReply,
    access: OwnerLinkAccess | null,
  ): Promise<FastifyReply> {
    const locale = choosePageLocale(request);
    const frame = { locale, title: t(locale, 'ownerLink.title'), address: null };
    if (access?.mustLogIn)
      return sendLocalizedHtmlPage(reply, {
        ...frame,
        status: 403,
        body: html`<h1>${t(locale, 'ownerLink.logInTitle')}</h1>
<p>${t(locale, 'ownerLink.logInText')}</p>
${applicationUrl && html`<p><a class="act wide" href="${applicationUrl}/notifications/${access.notificationId}">${t(locale, 'ownerLink.logInButton')}</a></p>`}`,
      });
    const page =
      access?.subject.name === 'entry'
        ? await createEntryLinkPage(services, access, access.subject, locale)
        : access && (await createCodeLinkPage({ ...services, maps }, request, access, locale));
    if (page)
      return sendLocalizedHtmlPage(reply, {
        ...frame,
        status: 200,
        address: getOwnerLinkPath(services, request.params.link),
        ...page,
      });
    return sendErrorPage(request, reply, 'ownerLink.invalidText');
  }
};
