import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyHttpOptions } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { sendProblem, toProblemDocument } from './problem-details.ts';
import { generateRequestId } from './request-id.ts';
import { createLoggerOptions, type LogSettings } from './request-log.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { createSharedSerializers } from './shared-serializers.ts';
import { StreamErrorLogController } from './stream-error-log-controller.ts';

export interface ServerSettings {
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-* count; never "all". */
  trustProxy: readonly string[];
  /** Whether the public base URL is https. */
  https: boolean;
  log: LogSettings | false;
}

const MAX_REQUEST_HEAD_BYTES = 16_384;
/** A refused connection lives this long after its answer, so that the answer is not lost in a reset. */
const LINGER_MS = 500;

/** The options of the Fastify factory: limits and time-outs of the wire, log, ids. */
export function createServerOptions(settings: ServerSettings) {
  const options = {
    bodyLimit: 1_048_576,
    http: {
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: MAX_REQUEST_HEAD_BYTES,
      // A request without Host is refused with an answer of ours (ambiguous-heads.ts).
      requireHostHeader: false,
    },
    // Bodies have a pace guard of their own (slow-bodies.ts): one deadline would cut honest uploads.
    requestTimeout: 0,
    // Nothing read or written for this long: a client that does not take its answer.
    connectionTimeout: 30_000,
    // Longer than the 60 s of common load balancers, which would otherwise reuse a connection we just closed.
    keepAliveTimeout: 65_000,
    // A path cannot be longer than the head, so an id that is far too long is simply not found.
    routerOptions: { maxParamLength: MAX_REQUEST_HEAD_BYTES },
    requestIdHeader: false,
    schemaController: { compilersFactory: { buildSerializer: createSharedSerializers() } },
    genReqId: generateRequestId,
    trustProxy: settings.trustProxy.length === 0 ? false : [...settings.trustProxy],
    // While closing, what is on its way is still answered (with Connection: close) and not turned away.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    logger: settings.log === false ? false : createLoggerOptions(settings.log),
    // request-log.ts writes one line a request.
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
      sendProblem(reply, serviceError);
    },
    clientErrorHandler: handleClientError,
  } satisfies FastifyHttpOptions<Server>;
  return options;
}

/** Bounds open connections, the rest being closed at once; `scale` is RATE_LIMIT_SCALE. */
export function limitConnections(
  server: { maxConnections: number; maxHeadersCount: number | null },
  scale: number,
): void {
  // Over its usual limit Node forgets fields, Content-Length among them, yet acts on them. The head's bytes are limited.
  server.maxHeadersCount = 0;
  server.maxConnections = Math.max(100, Math.round(10_000 * scale));
}

/** Answers a request that is no HTTP, too slow or too large in its head, on the bare socket, and closes it. */
function handleClientError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  // Bytes that arrive after our answer raise the same error again.
  if (!socket.writable || socket.writableEnded) return;
  if (hasResponseStarted(socket)) {
    socket.destroy();
    return;
  }
  socket.end(formatRawResponse(mapClientError(error)));
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
      // A well-formed request with a method nobody knows is an unknown path like any other .
      if (/^[A-Z]+ \S+ HTTP\/1\.[01]\r\n/.test(getRawPacket(error))) return new ServiceError('NOT_FOUND');
  }
  return new ServiceError('VALIDATION_FAILED', { detail: 'The request is not proper HTTP/1.1.' });
}

/** What was received, which Node gives as a buffer though it is typed otherwise. */
function getRawPacket(error: ConnectionError): string {
  const packet: unknown = error.rawPacket;
  return Buffer.isBuffer(packet) ? packet.toString('latin1', 0, 4_096) : '';
}

function formatRawResponse(error: ServiceError): string {
  const id = generateRequestId();
  const body = JSON.stringify(toProblemDocument(error, id));
  const head = {
    ...createSecurityHeaders(false),
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

/** Node keeps the answer under way on the socket; a second head in its middle would be response splitting. */
function hasResponseStarted(socket: Socket): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return typeof response === 'object' && response !== null && Reflect.get(response, 'headersSent') === true;
}

function createBadPathError(): ServiceError {
  return new ServiceError('VALIDATION_FAILED', {
    errors: [{ field: 'path', code: 'BAD_ENCODING', message: 'Must be percent-encoded UTF-8.' }],
  });
}
