import { sendHttpRequest } from '../../shared/http-client.ts';
import { IdentityProviderError } from './identity.port.ts';

const REQUEST_TIMEOUT_MS = 4_000;

/** Far above any real response. */
const MAX_RESPONSE_BYTES = 256 * 1024;

interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: RequestInit['body'] | undefined;
  signal?: AbortSignal | undefined;
}

/** Fetch without redirects. @throws IdentityProviderError UNAVAILABLE, also for a server error */
export async function fetchWithLimits(url: string, request: FetchOptions): Promise<Response> {
  try {
    const { status, headers, body } = await sendHttpRequest(url, {
      method: request.method === 'POST' ? 'POST' : 'GET',
      headers: request.headers,
      ...(request.body ? { body: String(request.body) } : {}),
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal: request.signal,
    });
    const isUsable = (status >= 200 && status < 300) || (status >= 400 && status < 500);
    if (!isUsable) throw new Error(`status ${status}`);
    return new Response(body.length > 0 ? body : null, { status, headers });
  } catch (cause) {
    throw new IdentityProviderError('UNAVAILABLE', { cause });
  }
}
