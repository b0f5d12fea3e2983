import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { getClientNetwork, getIpv6Site, truncateIpAddress } from '../../shared/client-address.ts';
import { createProxyCheck } from './client-address.ts';

interface ConnectionLimits {
  /** RATE_LIMIT_SCALE. */
  scale: number;
  /** Their connections are of many clients: they have no share. */
  trustProxy: readonly string[];
  log: { warn(details: object, message: string): void };
}

const MAX_CONNECTIONS = 10_000;
/** A tenth: an office or a carrier has many clients behind one address. An IPv6 site has up to 65,536 networks. */
const MAX_SHARE = 0.1;
const MAX_SITE_SHARE = 0.3;
/** Above it, connections that wait for their next request are closed. */
const CROWDED_SHARE = 0.8;
const RELIEF_INTERVAL_MS = 1_000;
const WARNING_INTERVAL_MS = 60_000;

/** Limit open connections, in all and of one address, and close surplus ones immediately. */
export function limitHttpConnections(server: Server, { scale, trustProxy, log }: ConnectionLimits): void {
  // Above its default limit Node drops fields such as Content-Length, yet acts on them. The head is limited in bytes.
  server.maxHeadersCount = 0;
  const allowed = Math.max(100, Math.round(MAX_CONNECTIONS * scale));
  server.maxConnections = allowed;
  const isFromProxy = createProxyCheck(trustProxy);
  // A request whose Upgrade is ignored is announced as another connection.
  const counted = new WeakSet<Socket>();
  const counts = new Map<string, number>();
  let [open, lastRelief, lastWarning] = [0, -Infinity, -Infinity];

  const warn = (client: string, reason: string) => {
    if (performance.now() - lastWarning < WARNING_INTERVAL_MS) return;
    lastWarning = performance.now();
    const details = {
      network: truncateIpAddress(client.replace('/48', '')),
      connections: counts.get(client),
    };
    log.warn(details, `connections: ${open} of ${allowed} are open, ${reason}`);
  };

  server.on('connection', (socket: Socket) => {
    if (counted.has(socket) || socket.remoteAddress === undefined) return;
    counted.add(socket);
    const client = getClientNetwork(socket.remoteAddress);
    const site = getIpv6Site(socket.remoteAddress);
    const networks = site === null ? [client] : [client, `${site}/48`];
    const [count = 0, siteCount = 0] = networks.map((network) => {
      const next = (counts.get(network) ?? 0) + 1;
      counts.set(network, next);
      return next;
    });
    open += 1;
    socket.once('close', () => {
      open -= 1;
      for (const network of networks) {
        const left = (counts.get(network) ?? 1) - 1;
        if (left === 0) counts.delete(network);
        else counts.set(network, left);
      }
    });
    const isBeyondShare = count > allowed * MAX_SHARE || siteCount > allowed * MAX_SITE_SHARE;
    if (isBeyondShare && !isFromProxy({ socket })) {
      warn(client, 'further ones of one network are closed');
      socket.destroy();
      return;
    }
    if (open <= allowed * CROWDED_SHARE || performance.now() - lastRelief < RELIEF_INTERVAL_MS) return;
    lastRelief = performance.now();
    const [busiest = client] = [...counts].reduce((one, next) => (next[1] > one[1] ? next : one));
    warn(busiest, 'idle ones are closed');
    server.closeIdleConnections();
  });
}
