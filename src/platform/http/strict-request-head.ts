import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { hasRequestBody } from './body-timeout.ts';
import { sendProblemDocument } from './problem-details.ts';
import { RESPONDED, type RequestStep } from './request-steps.ts';

/** Node keeps the first of these and drops the others; a proxy may have used another one. */
const SINGLETON_HEADERS = ['host', 'content-type'];

/** Host and port (RFC 3986, section 3.2). */
const HOST_PATTERN = /^[\w.~%!$&'()*+,;=:[\]-]*$/;

/** Node reads on during the response: bytes after a rejected head are ambiguous and must not reach a route. */
const rejectedSockets = new WeakMap<Socket, ServiceError>();

/** Reject heads that Node accepts against RFC 9112 (sections 3.2, 6.1) and RFC 9110 (section 10.1.1). */
export const rejectInvalidHead: RequestStep = (request, reply) => {
  const { socket } = request.raw;
  const error = rejectedSockets.get(socket) ?? findRequestHeadError(request.raw);
  if (error === undefined) return undefined;
  rejectedSockets.set(socket, error);
  void sendProblemDocument(reply.header('connection', 'close'), error);
  return RESPONDED;
};

/** Reject encoded bodies (RFC 9110, section 8.4). */
const plugin: FastifyPluginAsync = async (app) => {
  // Node would send an empty 417; `rejectInvalidHead` sends a problem document.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  app.addHook('preParsing', (request, reply, payload, done) => {
    const coding = request.headers['content-encoding'] ?? '';
    if (/^(?:identity)?$/i.test(coding) || !hasRequestBody(request)) return done(null, payload);
    reply.header('accept-encoding', 'identity');
    done(new ServiceError('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send the body without Content-Encoding.' }));
  });
};

export const strictRequestHeadPlugin = fp(plugin, { name: 'request-head' });

function findRequestHeadError(request: IncomingMessage): ServiceError | undefined {
  const { headers, httpVersion, method, rawHeaders, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return createValidationError({ field: 'version', code: 'NOT_ALLOWED', message: 'Must be HTTP/1.1.' });
  }
  const { host } = headers;
  if (host === undefined ? httpVersion === '1.1' : !HOST_PATTERN.test(host)) {
    return createValidationError({
      field: 'host',
      code: 'BAD_FORMAT',
      message: 'Must have exactly one host.',
    });
  }
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const repeatedHeader = SINGLETON_HEADERS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeatedHeader !== undefined) {
    return createValidationError({
      field: repeatedHeader,
      code: 'REPEATED',
      message: 'Must not be repeated.',
    });
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return createValidationError({
      field: 'transfer-encoding',
      code: 'NOT_ALLOWED',
      message: 'Must be chunked.',
    });
  }
  // The router would treat the asterisk as a slash.
  if (url.startsWith('*') && !(url === '*' && method === 'OPTIONS')) {
    return createValidationError({ field: 'path', code: 'BAD_FORMAT', message: 'Must begin with a slash.' });
  }
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return new ServiceError('EXPECTATION_FAILED');
  }
  return undefined;
}
