import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { normalizeIpAddress } from '../../shared/client-address.ts';
import type { RequestStep } from './request-steps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether requests came through a proxy without the address of the client: all its clients count as one. */
    hasUntrustedProxy(): boolean;
  }
}

/** RFC 7239, RFC 9110 (section 7.6.3), and what proxies and content delivery networks add instead. */
const FORWARDED_HEADER_PATTERN =
  /^(?:(?:x-)?forwarded(?:-.*)?|via|x-original-.*|x-envoy-.*|cf-.*|.*(?:real|client|connecting)-ip)$/;

/** Whether a proxy has passed the request on. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => FORWARDED_HEADER_PATTERN.test(name));
}

/** Loopback, RFC 1918, RFC 6598, link-local and RFC 4193. A public peer can send any header. */
const PRIVATE_NETWORKS = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv4');
PRIVATE_NETWORKS.addSubnet('fc00::', 7, 'ipv6');
PRIVATE_NETWORKS.addSubnet('fe80::', 10, 'ipv6');
PRIVATE_NETWORKS.addAddress('::1', 'ipv6');

export function createUntrustedProxyCheck(app: FastifyInstance): RequestStep {
  let isFound = false;
  app.decorate('hasUntrustedProxy', () => isFound);
  return (request) => {
    const { headers, socket } = request.raw;
    if (isFound || !isForwarded(headers)) return;
    if (!isPrivateAddress(socket.remoteAddress) || hasClientAddress(request)) return;
    isFound = true;
    request.log.warn(
      'TRUST_PROXY does not name a proxy that requests come through, or it sends no X-Forwarded-For: all its clients share one address and its limits',
    );
  };
}

/** The addresses begin with the peer; only a trusted one adds those of its X-Forwarded-For. */
function hasClientAddress({ ips = [] }: FastifyRequest): boolean {
  return ips.length > 1;
}

export function isPrivateAddress(remoteAddress = ''): boolean {
  const address = normalizeIpAddress(remoteAddress);
  return PRIVATE_NETWORKS.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
