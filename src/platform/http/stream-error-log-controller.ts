import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { serializeErrorForLog } from './error-log.ts';

/** Logs a response stream that failed on our side; request-log.ts writes all other request lines. */
export class StreamErrorLogController extends LogController {
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
