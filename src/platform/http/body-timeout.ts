import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import type { RequestStep } from './request-steps.ts';

export interface BodyTimeoutOptions {
  wholeMs?: number;
  idleMs?: number;
  windowMs?: number;
  bytesPerSecond?: number;
  /** How long the rest of a body is read after the response, so that the sender sees the response. */
  drainMs?: number;
  tickMs?: number;
}

export const MIN_UPLOAD_BYTES_PER_SECOND = 32_000;

const DEFAULT_TIMEOUTS = {
  wholeMs: 10_000,
  idleMs: 10_000,
  windowMs: 30_000,
  bytesPerSecond: MIN_UPLOAD_BYTES_PER_SECOND,
  drainMs: 2_000,
  tickMs: 500,
};

/** Cut slow bodies with 408, by bytes of the socket: Node's requestTimeout has one deadline for heads and bodies. */
export function createBodyTimeout(options: BodyTimeoutOptions = {}): RequestStep {
  const limits = { ...DEFAULT_TIMEOUTS, ...options };
  return (request, reply) => {
    if (hasRequestBody(request)) watchRequestBody(request, reply, limits);
  };
}

export function hasRequestBody(request: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

function watchRequestBody(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: typeof DEFAULT_TIMEOUTS,
): void {
  const { raw } = request;
  const isForm = (request.headers['content-type'] ?? '').startsWith('multipart/form-data');
  const startedAt = Date.now();
  const isSlow = isForm
    ? createFormSpeedCheck(limits, startedAt)
    : (now: number) => now - startedAt >= limits.wholeMs;
  let answeredAt: number | undefined;
  const timer = setInterval(check, limits.tickMs).unref();
  raw.once('end', stop);
  raw.once('close', stop);
  reply.raw.once('finish', () => {
    answeredAt = Date.now();
  });

  function stop(): void {
    clearInterval(timer);
  }

  function check(): void {
    const now = Date.now();
    if (raw.complete || raw.destroyed) {
      stop();
      return;
    }
    if (answeredAt !== undefined) {
      if (now - answeredAt >= limits.drainMs) abortBody();
      return;
    }
    // Paused by this process, not slow.
    if (!isSlow(now, raw.socket.bytesRead, raw.isPaused()) || reply.sent) return;
    // The reader of the body turns the error into the response; without a reader the next tick tries again.
    if (raw.listenerCount('error') === 0) return;
    reply.header('connection', 'close');
    raw.emit('error', new ServiceError('REQUEST_TIMEOUT'));
  }

  function abortBody(): void {
    stop();
    raw.destroy();
  }
}

function createFormSpeedCheck(
  limits: typeof DEFAULT_TIMEOUTS,
  startedAt: number,
): (now: number, bytes: number, isPaused: boolean) => boolean {
  let lastProgress = { at: startedAt, bytes: -1 };
  const window: { at: number; bytes: number }[] = [];
  return (now, bytes, isPaused) => {
    if (isPaused) {
      lastProgress = { at: now, bytes };
      window.length = 0;
      return false;
    }
    if (bytes > lastProgress.bytes) lastProgress = { at: now, bytes };
    if (now - lastProgress.at >= limits.idleMs) return true;
    window.push({ at: now, bytes });
    const [first] = window;
    if (first === undefined || now - first.at < limits.windowMs) return false;
    window.shift();
    return (bytes - first.bytes) * 1000 < (now - first.at) * limits.bytesPerSecond;
  };
}
