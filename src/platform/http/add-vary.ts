import type { FastifyReply } from 'fastify';

/** Say that a response depends on a header of its request, beside those that it depends on already. */
export function addVary(reply: FastifyReply, name: string): FastifyReply {
  return reply.header('Vary', [reply.getHeader('vary') ?? [], name].flat().join(', '));
}
