import type { FastifyRequest } from 'fastify';
import { isForwarded } from '../../platform/http/untrusted-proxy.ts';
import { normalizeIpAddress } from '../../shared/client-address.ts';

const LOCAL_HOST_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Check that a browser or program on this machine sent the request, and not a page of another origin in it. */
export function isLocalRequest({ headers, socket }: FastifyRequest): boolean {
  const { host, origin } = headers;
  const isOwnPage = origin === undefined || origin === `http://${host}`;
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    // Behind a proxy the peer is local for everybody.
    !isForwarded(headers) &&
    LOCAL_HOST_NAMES.has((host ?? '').replace(/:\d{1,5}$/, '')) &&
    isOwnPage
  );
}

function isLoopbackAddress(remoteAddress = ''): boolean {
  const address = normalizeIpAddress(remoteAddress);
  return address === '::1' || address.startsWith('127.');
}
