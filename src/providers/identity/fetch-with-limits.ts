import { readBodyWithLimit } from '../../shared/read-body-with-limit.ts';
import { IdentityProviderError } from './identity.port.ts';

/** Far above any real response. */
const MAX_RESPONSE_BYTES = 256 * 1024;

interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: RequestInit['body'] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Fetch without redirects, at most 256 KiB, and the whole response before the signal aborts.
 * @throws IdentityProviderError UNAVAILABLE without a response or for a server error
 */
export async function fetchWithLimits(url: string, request: FetchOptions): Promise<Response> {
  const { method, headers, body, signal } = request;
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
    });
    const isUsable = response.status >= 200 && response.status < 500 && !isRedirect(response.status);
    if (!isUsable) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    const bytes = await readBodyWithLimit(MAX_RESPONSE_BYTES, response.body);
    return new Response(bytes.length > 0 ? bytes : null, {
      status: response.status,
      headers: response.headers,
    });
  } catch (cause) {
    throw new IdentityProviderError('UNAVAILABLE', { cause });
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
