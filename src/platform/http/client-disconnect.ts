import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { RESPONDED, type RequestStep } from './request-steps.ts';

/** The client closed the connection before its response; nobody reads the status. */
export class ClientDisconnectedError extends Error {
  override name = 'ClientDisconnectedError';
  readonly statusCode = 499;
}

/** Create a signal that aborts with a ClientDisconnectedError when the client goes before its response has ended. */
export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new ClientDisconnectedError('The client closed the connection.'));
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort();
  });
  // The client may have disconnected before.
  if (reply.raw.destroyed) abort();
  return controller.signal;
}

/** Node forgets the address with the connection, unless it was read before. */
export function rememberClientAddresses(server: Pick<Server, 'on'>): void {
  server.on('connection', (socket: Socket) => void socket.remoteAddress);
}

/** Drop requests of clients that have reset their connection: without an address nothing can be limited. */
export const dropDisconnectedClient: RequestStep = (request, reply) => {
  const { socket } = request.raw;
  if (socket.remoteAddress !== undefined) return undefined;
  reply.hijack();
  socket.destroy();
  return RESPONDED;
};
