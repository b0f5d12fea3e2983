import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recordFailedRequestAuditEntry } from '../../platform/audit.ts';
import { toServiceError } from '../../platform/http/problem-details.ts';
import { rejectCrossSiteForms } from '../../platform/pages/cross-site-forms.ts';
import { acceptUrlEncodedForms } from '../../platform/pages/form-body.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { MAX_FORM_BYTES, sendFinderErrorPage } from './error-pages.ts';
import type { FinderServices } from './finder-services.ts';
import { type PageCache, sendPageAboveLimit } from './unrecorded-page.ts';
import { PageLimitError } from './visit.ts';

/** Register form parsing, the cross-site check and HTML error pages for a scope. */
export function registerFinderPageHandlers(
  app: FastifyInstance,
  services: FinderServices & { pageCache: PageCache },
): void {
  const { database } = services;
  app.removeAllContentTypeParsers();
  acceptUrlEncodedForms(app, MAX_FORM_BYTES);

  rejectCrossSiteForms(app, services.publicBaseUrl);

  app.setErrorHandler<Error>(async (error, request, reply) => {
    const id = findIdParam(request.params);
    try {
      // Rate-limited visits still get the public content, but not files or conversations.
      if (id && isLimitedVisit(error, request))
        return await sendPageAboveLimit(app, services, request, reply, id);
    } catch (failure) {
      await recordFailedRequestAuditEntry(database, request, failure);
      return sendFinderErrorPage(services, await limitUnknownPages(failure, request), request, reply, id);
    }
    return sendFinderErrorPage(services, await limitUnknownPages(error, request), request, reply, id);
  });

  async function limitUnknownPages(error: unknown, request: FastifyRequest): Promise<unknown> {
    if (toServiceError(error).code !== 'NOT_FOUND') return error;
    const waitSeconds = await app.consumeUnknownPage(request);
    return waitSeconds === undefined ? error : new PageLimitError(waitSeconds);
  }
}

function isLimitedVisit(error: Error, request: FastifyRequest): boolean {
  return (
    !(error instanceof PageLimitError) &&
    toServiceError(error).code === 'RATE_LIMITED' &&
    request.method === 'GET' &&
    request.routeOptions.url?.endsWith('/:id') === true
  );
}

export function findIdParam(params: unknown): string | null {
  const id: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'id') : null;
  return isId(id) ? id : null;
}

export function getQrCodeIdParam(params: unknown): string {
  const id = findIdParam(params);
  if (!id) throw new ServiceError('NOT_FOUND');
  return id;
}
