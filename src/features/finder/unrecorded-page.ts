import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type PageFrame, sendPageMarkup } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import {
  commitMedicalContentAccess,
  getOpenQrCode,
  getVisibleQrCodeContent,
  type ScannedQrCode,
  type VisibleQrCodeContent,
} from '../scans/index.ts';
import { findOngoingConversation } from './conversation-access.ts';
import type { FinderServices } from './finder-services.ts';
import { findMemorialState } from './memorial.ts';
import { createVisitPage, findRedirectUrl, NO_FORM, sendRedirect } from './send-visit.ts';
import { consumeUnrecordedPageLimit } from './visit.ts';

interface CachedPage {
  /** Versions and states that the page depends on. */
  state: string;
  /** Whether the page shows a profile, for the audit trail; its fields are not cached. */
  content: Pick<VisibleQrCodeContent, 'profile' | 'pictures'>;
  redirectUrl: string | null;
  accentColor: string | undefined;
  hasMemorial: boolean | undefined;
  markup: string;
}

export type PageCache = LRUCache<string, CachedPage>;

const MAX_CACHE_BYTES = 8 * 1024 * 1024;

/** Short, since the cache contains decrypted content, and pages have dates relative to today. */
const TTL_MS = 60_000;

/** Pages without forms and cookies, by code and language. An entry is sent only while its state is the current one. */
export function createPageCache(): PageCache {
  return new LRUCache<string, CachedPage>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ markup, redirectUrl, state }) =>
      1_000 + 2 * (markup.length + state.length + (redirectUrl?.length ?? 0)),
    ttl: TTL_MS,
    ttlAutopurge: true,
  });
}

interface Services extends FinderServices {
  pageCache: PageCache;
}

/** Send the page to a client above the rate limits, without a scan. @throws PageLimitError, and as `sendUnrecordedPage` */
export async function sendPageAboveLimit(
  app: FastifyInstance,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  codeId: string,
): Promise<FastifyReply> {
  await consumeUnrecordedPageLimit(app, request, codeId);
  return sendUnrecordedPage(services, request, reply, codeId);
}

/**
 * Send the page, or redirect, without a scan: from memory unless anything on it has changed.
 * @throws NOT_FOUND, CODE_UNAVAILABLE, CODE_PAUSED, CODE_EXPIRED, DATA_INTEGRITY
 */
export async function sendUnrecordedPage(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  codeId: string,
): Promise<FastifyReply> {
  const { database } = services;
  const locale = choosePageLocale(request);
  const code = await getOpenQrCode(database.client, codeId);
  const ongoing = await findOngoingConversation(services, codeId, request.headers.cookie);
  const state = JSON.stringify([code.version, code.status, await findMemorialState(database.client, code)]);
  const key = `${codeId} ${locale.tag}`;
  const cached = services.pageCache.get(key);
  const isCurrent = cached?.state === state && !ongoing;
  const { pageFrame } = reply.server;
  const page = isCurrent ? cached : await renderPage(services, pageFrame, code, locale, { state, ongoing });
  if (!isCurrent && !ongoing) services.pageCache.set(key, page);
  // HEAD shows nothing.
  if (request.method !== 'HEAD' && code.kind === 'MEDICAL')
    await commitMedicalContentAccess(database, getRequestContext(request), code, page.content);
  return page.redirectUrl
    ? sendRedirect(reply, page.redirectUrl)
    : sendPageMarkup(
        reply,
        { status: 200, locale, accentColor: page.accentColor, hasMemorial: page.hasMemorial },
        page.markup,
      );
}

async function renderPage(
  services: Services,
  pageFrame: PageFrame,
  code: ScannedQrCode,
  locale: Locale,
  { state, ongoing }: { state: string; ongoing: Awaited<ReturnType<typeof findOngoingConversation>> },
): Promise<CachedPage> {
  const visit = { code, scanId: null, ...getVisibleQrCodeContent(services, code, false) };
  const content = { profile: visit.profile && {}, pictures: visit.pictures };
  const redirectUrl = await findRedirectUrl(services, visit);
  if (redirectUrl)
    return { state, content, redirectUrl, accentColor: undefined, hasMemorial: undefined, markup: '' };
  const page = await createVisitPage(services, visit, locale, NO_FORM, ongoing);
  const { accentColor, hasMemorial } = page;
  return { state, content, redirectUrl, accentColor, hasMemorial, markup: pageFrame.render(page) };
}
