import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { APPLICATION_PATH_ROOTS } from './application-paths.ts';
import { serializeError } from './error-log.ts';

export interface LogSettings {
  level: string;
  /** Where lines go; standard output without it. */
  stream?: { write(line: string): void };
}

/**
 * The options of the logger. A request is logged as method and route pattern: never what was put in its path, a
 * query, a header or a body; an error as its name, code and frames.
 */
export function createLoggerOptions(settings: LogSettings) {
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
    serializers: { req: serializeRequest, res: serializeReply, err: serializeLoggedError },
  };
}

/** One line a finished request. */
const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onResponse', (request, reply, done) => {
    const line = { req: request, res: reply, ms: Math.round(reply.elapsedTime) };
    // 503 says come back: a line is full or somebody else is away. What is wrong here is told apart from it.
    if (reply.statusCode === 503) request.log.warn(line, 'request put off');
    else if (reply.statusCode >= 500) request.log.error(line, 'request failed');
    else request.log.info(line, 'request completed');
    done();
  });
};

export const requestLogPlugin = fp(plugin, { name: 'request-log' });

/** A path can hold a secret: its route says enough, and of one that has none only the root is told. */
function serializeRequest(request: FastifyRequest) {
  const route = request.routeOptions?.url;
  // Every OPTIONS outside the application has the route `*`.
  const isKnown = route !== undefined && route !== '*';
  return {
    method: request.method,
    ...(isKnown ? { route } : { path: redactUnknownPath(request.url ?? '') }),
  };
}

function redactUnknownPath(url: string): string {
  const root = APPLICATION_PATH_ROOTS.find((name) => url === `/${name}` || url.startsWith(`/${name}/`));
  return root === undefined ? '/…' : `/${root}/…`;
}

function serializeReply(reply: Partial<FastifyReply> & { statusCode: number }) {
  return { statusCode: reply.statusCode };
}

/** Fastify wants a message and a stack: the former would tell too much, the latter is in `frames`. */
function serializeLoggedError(error: Error) {
  return { ...serializeError(error), type: error.name, message: 'hidden', stack: '' };
}
