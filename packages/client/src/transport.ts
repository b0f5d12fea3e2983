import { computeBackoffMs, waitMs } from './delay.ts';
import { ApiError, NetworkError, parseProblem, TimeoutError } from './errors.ts';
import { canSendByXhr, type SendOptions, sendByXhr } from './send-by-xhr.ts';

/** Nothing was changed, except where the code says otherwise: the service was busy, or a limit was reached. */
const RETRIED_STATUSES = new Set([429, 503]);

export interface TransportRequest extends SendOptions {
  timeoutMs: number;
  maxRetries: number;
  /** A longer Retry-After is not waited for. */
  maxRetryDelayMs: number;
  /** It may be sent again if nobody knows whether the service got it. */
  isRepeatable: boolean;
  /** The body of a success is left to the caller. */
  isStream?: boolean;
  onUploadProgress?: ((progress: { loaded: number; total: number }) => void) | undefined;
}

export interface ReceivedResponse {
  response: Response;
  data: unknown;
}

/**
 * Send a request, and again after 429, 503 and, if it is repeatable, after lost connections.
 * @throws ApiError, NetworkError, TimeoutError, the reason of the signal
 */
export async function sendWithRetries(
  fetch: typeof globalThis.fetch,
  request: TransportRequest,
): Promise<ReceivedResponse> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sendOnce(fetch, request);
    } catch (error) {
      const delayMs = computeRetryDelayMs(request, attempt, error);
      if (delayMs === null) throw error;
      await waitMs(delayMs, request.signal);
    }
  }
}

/** Null if the request must not be sent again. */
function computeRetryDelayMs(
  { maxRetries, maxRetryDelayMs, isRepeatable }: TransportRequest,
  attempt: number,
  error: unknown,
): number | null {
  if (attempt >= maxRetries) return null;
  const backoffMs = computeBackoffMs(attempt, maxRetryDelayMs);
  if (error instanceof ApiError) {
    if (!RETRIED_STATUSES.has(error.status)) return null;
    if (error.code === 'OUTCOME_UNKNOWN' && !isRepeatable) return null;
    const delayMs = Math.max(error.retryAfterMs ?? 0, backoffMs);
    return delayMs > maxRetryDelayMs ? null : delayMs;
  }
  return error instanceof NetworkError && isRepeatable ? backoffMs : null;
}

async function sendOnce(
  fetch: typeof globalThis.fetch,
  request: TransportRequest,
): Promise<ReceivedResponse> {
  const { signal, timeoutMs, isStream = false, onUploadProgress } = request;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const options: SendOptions = {
    ...request,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  try {
    const response =
      onUploadProgress && canSendByXhr()
        ? await sendByXhr(options, onUploadProgress)
        : // A redirect would send the body, with what is secret in it, to another address.
          await fetch(options.url, { ...toRequestInit(options), redirect: 'manual' });
    if (!response.ok) throw await readError(response);
    return { response, data: isStream ? undefined : await readBody(response) };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    signal?.throwIfAborted();
    if (timeout.aborted) throw new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause: error });
    throw new NetworkError('The service could not be reached.', { cause: error });
  }
}

function toRequestInit({ method, headers, body, signal }: SendOptions): RequestInit {
  return { method, headers, body: body ?? null, signal: signal ?? null };
}

async function readError(response: Response): Promise<ApiError> {
  const contentType = response.headers.get('content-type') ?? '';
  return new ApiError(response.status, parseProblem(contentType, await response.text()), response.headers);
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/json\b/.test(type)) return JSON.parse(await response.text());
  if (/^(?:text\/|application\/x-ndjson\b)/.test(type)) return response.text();
  return type === '' ? undefined : response.blob();
}
