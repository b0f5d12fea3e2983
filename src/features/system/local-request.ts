import type { FastifyRequest } from 'fastify';
import { isForwarded } from '../../platform/http/client-address.ts';
import { LOOPBACK_HOST_NAMES, normalizeIpAddress } from '../../shared/client-address.ts';

/** Check that a browser or program on this machine sent the request, and not a page of another origin in it. */
export function isLocalRequest({ headers, socket }: FastifyRequest): boolean {
  const { host, origin } = headers;
  const isOwnPage = origin === undefined || origin === `http://${host}`;
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    // Behind a proxy the peer is local for everybody.
    !isForwarded(headers) &&
    LOOPBACK_HOST_NAMES.has((host ?? '').replace(/:\d{1,5}$/, '')) &&
    isOwnPage
  );
}

function isLoopbackAddress(remoteAddress = ''): boolean {
  const address = normalizeIpAddress(remoteAddress);
  return address === '::1' || address.startsWith('127.');
}
