import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getRequestContext } from '../../platform/request-context.ts';
import type { CookieScope } from './cookie.ts';
import { type FinderServices, getFinderPath } from './finder-services.ts';
import { readOwnerPhoneCookie } from './owner-phone-cookie.ts';
import { getVisitWithoutScan, type PageVisit, recordVisit } from './record-visit.ts';

/**
 * Start a visit; it is recorded unless this client exceeded the rate limit of the code.
 * @throws what `recordVisit` throws
 */
export function startVisit(
  app: FastifyInstance,
  services: FinderServices,
  request: FastifyRequest,
  codeId: string,
): Promise<PageVisit> {
  const isOver = app.consumeCodeRateLimit(request, codeId) !== undefined;
  if (isOver) return getVisitWithoutScan(services, getRequestContext(request), codeId);
  const phoneOwnerId = readOwnerPhoneCookie(
    services.fieldCipher,
    request.headers.cookie,
    getCookieScope(services),
  );
  return recordVisit(services, getRequestContext(request), codeId, phoneOwnerId);
}

function getCookieScope(services: FinderServices): CookieScope {
  return { path: getFinderPath(services), secure: services.publicBaseUrl.startsWith('https:') };
}
