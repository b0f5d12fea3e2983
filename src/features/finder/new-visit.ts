import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getRequestContext } from '../../platform/request-context.ts';
import type { CookieScope } from './cookie.ts';
import { type FinderServices, finderPath } from './finder-services.ts';
import { ownPhoneOf } from './owner-phone-cookie.ts';
import { recordVisit, showWithoutScan, type Visit } from './record-visit.ts';

/** A visit, recorded unless this client opened the code too often. Throws as `recordVisit`. */
export function newVisit(
  app: FastifyInstance,
  services: FinderServices,
  request: FastifyRequest,
  codeId: string,
): Promise<Visit> {
  const isOver = app.overCodeLimit(request, codeId) !== undefined;
  if (isOver) return showWithoutScan(services, getRequestContext(request), codeId);
  const phoneOf = ownPhoneOf(services.fieldCipher, request.headers.cookie, scopeOf(services));
  return recordVisit(services, getRequestContext(request), codeId, phoneOf);
}

function scopeOf(services: FinderServices): CookieScope {
  return { path: finderPath(services), secure: services.publicBaseUrl.startsWith('https:') };
}
