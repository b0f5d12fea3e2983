import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import {
  type ConnectionError,
  type FastifyHttpOptions,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { serializeErrorForLog } from './error-log.ts';
import { sendProblemDocument, toProblemDocument } from './problem-details.ts';
import { createRequestIdGenerator, generateRequestId } from './request-id.ts';
import { createLoggerOptions, type LogSettings } from './request-log.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { createSharedSerializerBuilder } from './shared-serializers.ts';

export interface HttpServerSettings {
  /** Addresses or CIDR ranges of proxies whose X-Request-Id is trusted; never "all". */
  trustProxy: readonly string[];
  https: boolean;
  /** Of the public address; none by default. */
  basePath?: string;
  log: LogSettings | false;
}

const MAX_REQUEST_HEAD_BYTES = 16_384;
/** Keeps a rejected connection open after its response, which a reset would otherwise discard. */
const LINGER_MS = 500;

export function createFastifyOptions(settings: HttpServerSettings) {
  const options = {
    bodyLimit: 1_048_576,
    http: {
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: MAX_REQUEST_HEAD_BYTES,
      // strict-request-head.ts rejects a missing Host with a problem document.
      requireHostHeader: false,
    },
    // body-timeout.ts limits bodies: a single deadline would cut legitimate uploads.
    requestTimeout: 0,
    // No bytes read or written for this long; cutIdleConnections decides what follows.
    connectionTimeout: 30_000,
    // Longer than the 60 s of common load balancers, which would reuse a connection that was just closed.
    keepAliveTimeout: 65_000,
    // A path cannot be longer than the head, so an overlong id is simply not found.
    routerOptions: { maxParamLength: MAX_REQUEST_HEAD_BYTES, ignoreTrailingSlash: true },
    requestIdHeader: false,
    schemaController: { compilersFactory: { buildSerializer: createSharedSerializerBuilder() } },
    genReqId: createRequestIdGenerator(settings.trustProxy),
    // While closing, requests under way are still answered (with Connection: close).
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    logger: settings.log === false ? false : createLoggerOptions(settings.log),
    // request-log.ts writes one line per request.
    logController: new StreamErrorLogController(),
    frameworkErrors: (error, request, reply) => {
      const isFile = request.raw.url?.startsWith('/uploads/') ?? false;
      const serviceError =
        error.code === 'FST_ERR_BAD_URL' && !isFile ? createBadPathError() : new ServiceError('NOT_FOUND');
      reply.headers({
        ...createSecurityHeaders(settings.https),
        'cache-control': 'no-store',
        'x-request-id': request.id,
      });
      sendProblemDocument(reply, serviceError);
    },
    clientErrorHandler: (error, socket) => handleClientError(error, socket, settings),
  } satisfies FastifyHttpOptions<Server>;
  return options;
}

/** Cut idle connections, except while the service works on a response: each of its waits has a limit of its own. */
export function cutIdleConnections(server: Pick<Server, 'on'>): void {
  server.on('timeout', (socket: Socket) => {
    const isWaitingForService = getCurrentResponse(socket) !== null && socket.writableLength === 0;
    if (isWaitingForService) socket.setTimeout(socket.timeout ?? 0);
    else socket.destroy();
  });
}

function handleClientError(error: ConnectionError, socket: Socket, settings: HttpServerSettings): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  // Bytes that arrive after the response raise the same error again.
  if (!socket.writable || socket.writableEnded) return;
  if (hasResponseStarted(socket)) {
    socket.destroy();
    return;
  }
  socket.end(formatRawResponse(mapClientError(error), settings));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function mapClientError(error: ConnectionError): ServiceError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('HEADERS_TOO_LARGE');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('PAYLOAD_TOO_LARGE');
    case 'HPE_INVALID_METHOD':
      // A well-formed request with an unknown method is an unknown path.
      if (/^[A-Z]+ \S+ HTTP\/1\.[01]\r\n/.test(getRawPacket(error))) return new ServiceError('NOT_FOUND');
  }
  return new ServiceError('VALIDATION_FAILED', { detail: 'The request is not valid HTTP/1.1.' });
}

function getRawPacket(error: ConnectionError): string {
  const packet: unknown = error.rawPacket;
  return Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 4_096) : '';
}

function formatRawResponse(error: ServiceError, { https, basePath }: HttpServerSettings): string {
  const id = generateRequestId();
  const body = JSON.stringify(toProblemDocument(error, id, basePath));
  const head = {
    ...createSecurityHeaders(https),
    'cache-control': 'no-store',
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}\r\n${lines.join('')}\r\n${body}`;
}

/** A second head within a response would be response splitting. */
function hasResponseStarted(socket: Socket): boolean {
  const response = getCurrentResponse(socket);
  return response !== null && Reflect.get(response, 'headersSent') === true;
}

/** Node keeps the current response on the socket. */
function getCurrentResponse(socket: Socket): object | null {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return typeof response === 'object' ? response : null;
}

function createBadPathError(): ServiceError {
  return new ServiceError('VALIDATION_FAILED', {
    errors: [{ field: 'path', code: 'BAD_ENCODING', message: 'Must be percent-encoded UTF-8.' }],
  });
}

/** Logs a response stream that failed on our side; request-log.ts writes all other request lines. */
class StreamErrorLogController extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'requestId' });
  }

  /** The client already has the head: the status cannot report the failure. */
  override streamError(error: Error, request: FastifyRequest, _reply: FastifyReply): void {
    if (Reflect.get(error, 'code') === 'ERR_STREAM_PREMATURE_CLOSE') return;
    // Deleted meanwhile, such as an account erased during its export: not a failure of the service.
    const isGone = error instanceof ServiceError && error.statusCode < 500;
    const level = isGone ? 'warn' : 'error';
    request.log[level]({ req: request, error: serializeErrorForLog(error) }, 'response stream failed');
  }
}
