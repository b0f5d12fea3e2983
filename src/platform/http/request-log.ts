import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { describeError } from './error-log.ts';

export interface LogSettings {
  level: string;
  /** Where lines go; standard output without it. */
  stream?: { write(line: string): void };
}

const MAX_PATH = 200;

/**
 * The options of the logger. A request is logged as method, route pattern and path: never a query, a header or
 * a body; an error as its name, code and frames.
 */
export function loggerOptions(settings: LogSettings) {
  return {
    level: settings.level,
    ...(settings.stream === undefined ? {} : { stream: settings.stream }),
    redact: {
      paths: ['authorization', 'cookie', 'set-cookie'].flatMap((name) => [
        `headers["${name}"]`,
        `*.headers["${name}"]`,
        `["${name}"]`,
      ]),
      censor: '[hidden]',
    },
    serializers: { req: describeRequest, res: describeReply, err: describeLoggedError },
  };
}

/** One line a finished request. */
const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onResponse', async (request, reply) => {
    const line = { req: request, res: reply, ms: Math.round(reply.elapsedTime) };
    if (reply.statusCode >= 500) request.log.error(line, 'request failed');
    else request.log.info(line, 'request completed');
  });
};

export const requestLog = fp(plugin, { name: 'request-log' });

function describeRequest(request: FastifyRequest) {
  const route = request.routeOptions?.url;
  const path = (request.url ?? '').split(/[?#;]/, 1)[0] ?? '';
  return {
    method: request.method,
    ...(route === undefined ? {} : { route }),
    path: shownPath(route, path),
  };
}

/** A token in a path is a credential: its route says enough, and where there is none, long parts are left out. */
function shownPath(route: string | undefined, path: string): string {
  if (route === undefined) return path.replace(/[^/]{32,}/g, '[hidden]').slice(0, MAX_PATH);
  return /:\w*token/i.test(route) ? route : path.slice(0, MAX_PATH);
}

function describeReply(reply: Partial<FastifyReply> & { statusCode: number }) {
  return { statusCode: reply.statusCode };
}

/** Fastify wants a message and a stack: the former would tell too much, the latter is in `frames`. */
function describeLoggedError(error: Error) {
  return { ...describeError(error), type: error.name, message: 'hidden', stack: '' };
}
