import { request } from 'node:https';
import type { Answer } from './fcm-answer.ts';

/** No honest answer of the provider is near this size, in bytes. */
const MAX_ANSWER = 64 * 1024;

/** Sends JSON by POST and gives the whole answer within the time of the signal. Follows no redirect. Throws where there is none. */
export function boundedPost(
  url: string,
  accessToken: string,
  body: object,
  signal: AbortSignal,
): Promise<Answer> {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'content-type': 'application/json',
    'content-length': bytes.length,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal }, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_ANSWER) sent.destroy(new Error('an answer that is too large'));
      });
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], text });
      });
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(bytes);
  });
}
