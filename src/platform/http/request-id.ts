import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createProxyCheck } from './client-address.ts';
import type { RequestStep } from './request-steps.ts';

/** Ids of common proxies: UUIDs, hexadecimal digits, base64url. */
const PROXY_REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{8,64}$/;

export function generateRequestId(): string {
  return randomUUID();
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
