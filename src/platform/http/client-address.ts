import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIPv4 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { normalizeIpAddress, parseForwardedAddress, UNKNOWN_ADDRESS } from '../../shared/client-address.ts';
import type { RequestStep } from './request-steps.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** IPv4 or IPv6 without a port, not truncated; "unknown" if a trusted proxy names none that can be read. */
    clientAddress: string;
  }
}

export interface TrustedProxies {
  /** Addresses or networks. */
  trustProxy: readonly string[];
  /** Header in which they name their client. */
  clientAddressHeader: string;
}

/** Whether the message came from a trusted proxy. */
export type ProxyCheck = (message: Pick<IncomingMessage, 'socket'>) => boolean;

export function createProxyCheck(proxyNetworks: readonly string[]): ProxyCheck {
  const isProxy = createAddressCheck(proxyNetworks);
  return (message) => isProxy(getPeerAddress(message));
}

/**
 * Find the client of each request: the nearest hop that is no trusted proxy. Only a trusted proxy is believed about the
 * hop before it, and only in one header: proxies pass on what clients send in others.
 */
export function createClientAddressStep(
  app: FastifyInstance,
  { trustProxy, clientAddressHeader }: TrustedProxies,
): RequestStep {
  const isProxy = createAddressCheck(trustProxy);
  const header = clientAddressHeader.toLowerCase();
  app.decorateRequest('clientAddress', '');
  return (request) => {
    request.clientAddress = findClientAddress(request.raw);
  };

  function findClientAddress(message: IncomingMessage): string {
    let nearest = getPeerAddress(message);
    if (!isProxy(nearest)) return nearest;
    const entries = listForwardedEntries(message, header);
    // A proxy's own requests, such as probes, are not forwarded.
    if (entries.length === 0 && isForwarded(message.headers)) return UNKNOWN_ADDRESS;
    for (const entry of entries) {
      const address = parseForwardedAddress(entry);
      if (address === null) return UNKNOWN_ADDRESS;
      if (!isProxy(address)) return address;
      nearest = address;
    }
    return nearest;
  }
}

/** RFC 7239, RFC 9110 (section 7.6.3), and what proxies and content delivery networks add instead. */
const FORWARDED_HEADER_PATTERN =
  /^(?:(?:x-)?forwarded(?:-.*)?|via|x-original-.*|x-envoy-.*|cf-.*|x-azure-.*|cdn-loop|.*(?:real|client|connecting)-?ip)$/;

/** Whether a proxy has passed the request on. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => FORWARDED_HEADER_PATTERN.test(name));
}

/** From the nearest hop to the farthest; empty without the header. `header` is in lower case. */
function listForwardedEntries({ headers }: Pick<IncomingMessage, 'headers'>, header: string): string[] {
  const text = [headers[header] ?? []].flat().join(',');
  if (header === 'forwarded') return splitFromEnd(text, ',').map(findForParameter);
  return text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .reverse();
}

/** In an element of `Forwarded` (RFC 7239); a hop can leave it out. */
function findForParameter(element: string): string {
  for (const pair of splitFromEnd(element, ';')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name.trim().toLowerCase() === 'for') return value;
  }
  return '';
}

/** Split outside of quoted strings; from the end, so that an open quote of a client hides nothing that proxies append. */
function splitFromEnd(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let end = text.length;
  for (let index = text.length - 1; index >= 0; index--) {
    if (text[index] === '"') isQuoted = !isQuoted;
    if (text[index] !== separator || isQuoted) continue;
    parts.push(text.slice(index + 1, end));
    end = index;
  }
  return [...parts, text.slice(0, end)].filter((part) => part.trim() !== '');
}

function createAddressCheck(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function getPeerAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
  return normalizeIpAddress(socket.remoteAddress ?? '');
}
