import { BlockList, isIPv4 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { normalizeIpAddress, UNKNOWN_ADDRESS } from '../../shared/client-address.ts';
import { createProxyCheck, isForwarded, type TrustedProxies } from './client-address.ts';
import type { RequestStep } from './request-steps.ts';

export type ProxyWarning = 'TRUST_PROXY' | 'CLIENT_ADDRESS_HEADER';

const PROXY_WARNINGS: Record<ProxyWarning, string> = {
  TRUST_PROXY:
    'TRUST_PROXY does not name a proxy that requests come through: all its clients share one address and its limits',
  CLIENT_ADDRESS_HEADER:
    'a proxy of TRUST_PROXY sends no CLIENT_ADDRESS_HEADER, or no readable address in it: all its clients count as one, and limits by address are wide',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Settings to correct, because requests came through a proxy without a readable address of the client. */
    listProxyWarnings(): ProxyWarning[];
  }
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

/** Warn once of each setting that keeps the service from telling clients apart. */
export function createProxyWarningStep(app: FastifyInstance, proxies: TrustedProxies): RequestStep {
  const isFromProxy = createProxyCheck(proxies.trustProxy);
  const warnings = new Set<ProxyWarning>();
  app.decorate('listProxyWarnings', () => [...warnings]);
  return ({ raw, clientAddress, log }) => {
    const warning = clientAddress === UNKNOWN_ADDRESS ? 'CLIENT_ADDRESS_HEADER' : 'TRUST_PROXY';
    if (warnings.has(warning)) return;
    const isHidden = () =>
      isForwarded(raw.headers) && isPrivateAddress(raw.socket.remoteAddress) && !isFromProxy(raw);
    if (warning === 'TRUST_PROXY' && !isHidden()) return;
    warnings.add(warning);
    log.warn(PROXY_WARNINGS[warning]);
  };
}

export function isPrivateAddress(remoteAddress = ''): boolean {
  const address = normalizeIpAddress(remoteAddress);
  return PRIVATE_NETWORKS.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
