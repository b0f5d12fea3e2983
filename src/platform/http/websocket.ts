import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';

export type { WebSocket } from '@fastify/websocket';

export interface WebSocketOptions {
  path: string;
  /** Subprotocols after which browsers send a credential; it is never sent back. */
  protocols: readonly string[];
  maxPayload: number;
}

/** Close codes (RFC 6455, section 7.4.1); from 4000 on our own, after HTTP status codes. */
export const WEBSOCKET_CLOSE_CODES = {
  shutdown: 1001,
  policyViolation: 1008,
  tryAgainLater: 1013,
  unauthenticated: 4401,
  tooMany: 4429,
} as const;

const CLOSE_TIMEOUT_MS = 1_000;
/** Of one message; the parser reports only complete messages. */
const MAX_FRAGMENTS = 16;

const plugin: FastifyPluginAsync<WebSocketOptions> = async (app, { path, protocols, maxPayload }) => {
  // The library would handle Upgrade on any path and for any protocol.
  const upgrades = new EventEmitter();
  let isClosing = false;
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isRealtimeUpgrade =
      request.method === 'GET' &&
      /^websocket$/i.test(request.headers.upgrade ?? '') &&
      request.url?.split('?')[0] === path;
    if (isRealtimeUpgrade) upgrades.emit('upgrade', request, socket, head);
    else handleAsHttpRequest(app, request, socket, head);
  });

  await app.register(websocket, {
    options: {
      // Only the upgrade events of the server are used.
      server: upgrades as never,
      maxPayload,
      maxFragments: MAX_FRAGMENTS,
      perMessageDeflate: false,
      handleProtocols: (offered) => protocols.find((name) => offered.has(name)) ?? false,
    },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: async () => {
      isClosing = true;
      await closeClients([...app.websocketServer.clients]);
    },
  });
  app.websocketServer.on('connection', (client) => {
    if (isClosing) client.terminate();
  });
};

export const webSocketsPlugin = fp(plugin, { name: 'websockets' });

/** A server may ignore Upgrade (RFC 9110, section 7.8): handle the request again without it. */
function handleAsHttpRequest(
  app: FastifyInstance,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() !== 'upgrade')
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  app.server.emit('connection', socket);
}

async function closeClients(clients: readonly WebSocket[]): Promise<void> {
  const closed = Promise.all(clients.map((client) => waitForClose(client)));
  for (const client of clients) client.close(WEBSOCKET_CLOSE_CODES.shutdown, 'server shutting down');
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  });
  await Promise.race([closed, timeout]);
  clearTimeout(timer);
  for (const client of clients) client.terminate();
}

async function waitForClose(client: WebSocket): Promise<void> {
  if (client.readyState !== client.CLOSED) await once(client, 'close').catch(() => undefined);
}
