import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { createClientAddressStep } from '../../../src/platform/http/client-address.ts';
import { limitHttpConnections } from '../../../src/platform/http/connection-limits.ts';
import { problemDetailsPlugin } from '../../../src/platform/http/problem-details.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { createFastifyOptions, cutIdleConnections } from '../../../src/platform/http/server-options.ts';

export const NO_PROXIES = { trustProxy: [], clientAddressHeader: 'X-Forwarded-For' };

export async function createBareApp(t: Test): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify(createFastifyOptions({ trustProxy: [], https: false, log: false }));
  limitHttpConnections(app.server, { scale: 1, trustProxy: [], log: app.log });
  cutIdleConnections(app.server);
  addRequestSteps(app, createClientAddressStep(app, NO_PROXIES));
  await app.register(problemDetailsPlugin);
  t.teardown(() => app.close());
  return app;
}

export async function listenOnFreePort(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return getPort(app);
}

export function getPort(app: FastifyInstance): number {
  const address: AddressInfo | string | null = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

/** Longer than any limit of a test: a server that keeps a connection open fails the test and does not hang it. */
const MAX_ANSWER_MS = 30_000;

/** Send chunks one after another (a number is a pause in milliseconds); returns all that was received. */
export async function sendRaw(port: number, ...parts: (string | Buffer | number)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const closed = new Promise<void>((done) => socket.once('close', () => done()));
  socket.on('error', () => undefined);
  for (const part of parts) {
    if (typeof part === 'number') await Promise.race([wait(part), closed]);
    else if (!socket.destroyed) socket.write(part);
  }
  await Promise.race([closed, wait(MAX_ANSWER_MS, undefined, { ref: false })]);
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

export function parseStatus(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

export function parseJsonResponse(answer: string): Record<string, unknown> {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
}
