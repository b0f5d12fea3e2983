import type { Socket } from 'node:net';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';

/** Drop requests of clients that have reset their connection: without an address nothing can be limited. */
const plugin: FastifyPluginAsync = async (app) => {
  // Node forgets the address with the connection, unless it was read before.
  app.server.on('connection', (socket: Socket) => void socket.remoteAddress);
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    if (socket.remoteAddress !== undefined) return done();
    reply.hijack();
    socket.destroy();
  });
};

export const knownPeerPlugin = fp(plugin, { name: 'known-peer' });
