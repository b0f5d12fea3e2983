import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { serializeError } from './error-log.ts';

/** Fastify's own lines: none but that of an answer that broke off on our side, once; request-log.ts writes the others. */
export class StreamErrorLogController extends LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: 'requestId' });
  }

  /** Called once a stream, whose head the client has already: the status cannot say it any more. */
  override streamError(error: Error, request: FastifyRequest, _reply: FastifyReply): void {
    // The client left.
    if (Reflect.get(error, 'code') === 'ERR_STREAM_PREMATURE_CLOSE') return;
    // What it was of is gone, as an account that is erased while its archive is sent: no fault of the service.
    const isGone = error instanceof ServiceError && error.statusCode < 500;
    const level = isGone ? 'warn' : 'error';
    request.log[level]({ req: request, error: serializeError(error) }, 'an answer broke off');
  }
}
