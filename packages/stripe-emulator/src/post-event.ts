import { type ClientRequest, request } from 'node:http';

const TIMEOUT_MS = 10_000;

/** Post once, without redirects; `done` gets the status or an error code, and whether it was accepted. */
export function postEvent(
  url: string,
  body: string,
  signature: string,
  done: (result: string, isTaken: boolean) => void,
): ClientRequest {
  let isDone = false;
  const end = (result: string, isTaken: boolean) => {
    if (isDone) return;
    isDone = true;
    done(result, isTaken);
  };
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Stripe-Signature': signature,
    'User-Agent': 'Stripe/1.0 (sandbox)',
  };
  const sent = request(url, { method: 'POST', headers, timeout: TIMEOUT_MS }, (answer) => {
    const status = answer.statusCode ?? 0;
    answer.resume();
    end(String(status), status >= 200 && status < 300);
  });
  sent.on('timeout', () => sent.destroy(new Error('timeout')));
  sent.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message, false));
  sent.on('close', () => end('connection closed', false));
  sent.end(body);
  return sent;
}
