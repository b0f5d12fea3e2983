import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';

/** Refuse forms of a scope that another site sends. */
export function rejectCrossSiteForms(app: FastifyInstance, publicBaseUrl: string): void {
  const { host } = new URL(publicBaseUrl);
  app.addHook('onRequest', async ({ method, headers, host: requestHost }) => {
    const requestOrigin = { site: headers['sec-fetch-site'], origin: headers.origin };
    if (method === 'POST' && isCrossSiteForm(requestOrigin, [host, requestHost]))
      throw new ServiceError('FORBIDDEN', { detail: 'The form was submitted from another site.' });
  });
}

/** Whether the browser says that a page of ours sent the form; one that says nothing does not. */
export function isFormOfOwnPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}

interface RequestOrigin {
  /** Sec-Fetch-Site (Fetch Metadata). */
  site: string | string[] | undefined;
  /** Origin (RFC 6454). */
  origin: string | undefined;
}

/** `hosts` are our own. */
function isCrossSiteForm({ site, origin }: RequestOrigin, hosts: readonly string[]): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  // Our pages send no referrer, so their forms have the origin null.
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host);
}
