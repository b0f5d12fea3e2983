import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { APPLICATION_ROOT_PATH_SEGMENTS } from './application-paths.ts';
import { serializeErrorForLog } from './error-log.ts';
import type { RequestStep } from './request-steps.ts';

/** Nobody received the response; the code that nginx logs. */
export const CLIENT_CLOSED_REQUEST = 499;

export interface LogSettings {
  level: string;
  stream?: { write(line: string): void };
}

/** Create the logger options: never log values of a path, query, header or body. */
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

export const logClosedRequest: RequestStep = (request, reply) => {
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return;
    const ms = Math.round(reply.elapsedTime);
    request.log.info(
      { req: request, res: { statusCode: CLIENT_CLOSED_REQUEST }, ms },
      'client closed request',
    );
  });
};

const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('onResponse', (request, reply, done) => {
    // Logged when the connection was closed.
    if (reply.raw.destroyed && !reply.raw.writableFinished) return done();
    const line = { req: request, res: reply, ms: Math.round(reply.elapsedTime) };
    // 503 means try again later: a full queue or an unavailable dependency. Distinguish it from failures.
    if (reply.statusCode === 503) request.log.warn(line, 'request deferred');
    else if (reply.statusCode >= 500) request.log.error(line, 'request failed');
    else request.log.info(line, 'request completed');
    done();
  });
};

export const requestLogPlugin = fp(plugin, { name: 'request-log' });

/** A path can hold a secret: log its route, or only its first segment where it has none. */
function serializeRequest(request: FastifyRequest) {
  const route = request.routeOptions?.url;
  const isKnown = route !== undefined && route !== '*';
  return {
    method: request.method,
    ...(isKnown ? { route } : { path: redactUnknownPath(request.url ?? '') }),
  };
}

function redactUnknownPath(url: string): string {
  const root = APPLICATION_ROOT_PATH_SEGMENTS.find(
    (name) => url === `/${name}` || url.startsWith(`/${name}/`),
  );
  return root === undefined ? '/…' : `/${root}/…`;
}

function serializeReply(reply: Partial<FastifyReply> & { statusCode: number }) {
  return { statusCode: reply.statusCode };
}

/** Fastify requires message and stack: the former can hold user input, the latter is in `frames`. */
function serializeLoggedError(error: Error) {
  return { ...serializeErrorForLog(error), type: error.name, message: 'hidden', stack: '' };
}
