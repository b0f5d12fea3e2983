import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4 } from 'node:net';
import { normalizeIpAddress } from '../../shared/client-address.ts';
import type { RequestStep } from './request-steps.ts';

/** Ids of common proxies: UUIDs, hexadecimal digits, base64url. */
const PROXY_REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{8,64}$/;

export function generateRequestId(): string {
  return randomUUID();
}

export type ProxyCheck = (message: Pick<IncomingMessage, 'socket'>) => boolean;

/** Create the check whether a request comes from a proxy in these networks. */
export function createProxyCheck(proxyNetworks: readonly string[]): ProxyCheck {
  const proxies = new BlockList();
  for (const network of proxyNetworks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(prefix), family);
  }
  return ({ socket }) => {
    const peer = normalizeIpAddress(socket.remoteAddress ?? '');
    return proxies.check(peer, isIPv4(peer) ? 'ipv4' : 'ipv6');
  };
}

/**
 * Create ids of requests: the `X-Request-Id` of a proxy in these networks, or a random one. That of a client is never
 * used: it could forge log entries.
 */
export function createRequestIdGenerator(proxyNetworks: readonly string[]) {
  const isFromProxy = createProxyCheck(proxyNetworks);
  return (message: IncomingMessage): string => {
    const id = message.headers['x-request-id'];
    if (typeof id !== 'string' || !PROXY_REQUEST_ID_PATTERN.test(id)) return generateRequestId();
    return isFromProxy(message) ? id : generateRequestId();
  };
}

export const sendRequestId: RequestStep = (request, reply) => {
  reply.header('x-request-id', request.id);
};
