import type { FastifyReply } from 'fastify';

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
