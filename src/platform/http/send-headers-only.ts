import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Answer a HEAD without its content; Fastify computes a length from any payload but a stream. */
export function sendHeadersOnly(reply: FastifyReply): FastifyReply {
  return reply.send(Readable.from([]));
}
