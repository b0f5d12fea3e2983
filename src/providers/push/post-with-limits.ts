import { request } from 'node:https';
import type { FcmResponse } from './fcm-response.ts';

/** Far above any real response. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Post JSON without following redirects and read the whole response before the signal aborts.
 * @throws without a response
 */
export function postWithLimits(
  url: string,
  accessToken: string,
  body: object,
  signal: AbortSignal,
): Promise<FcmResponse> {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'content-type': 'application/json',
    'content-length': bytes.length,
  };
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { method: 'POST', headers, signal }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_RESPONSE_BYTES) clientRequest.destroy(new Error('response too large'));
      });
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text });
      });
      response.once('error', reject);
    });
    clientRequest.once('error', reject);
    clientRequest.end(bytes);
  });
}
