import type { FastifyRequest } from 'fastify';

/** Whether another site led here. Browsers without Fetch Metadata do not say it. */
export function isFromOtherSite({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
