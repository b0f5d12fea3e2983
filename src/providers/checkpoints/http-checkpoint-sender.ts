import { sendHttpRequest } from '../../shared/http-client.ts';
import type { AuditCheckpointSender } from './checkpoints.port.ts';

const REQUEST_TIMEOUT_MS = 5_000;

export function createHttpAuditCheckpointSender(url: string): AuditCheckpointSender {
  return async (line) => {
    const { status } = await sendHttpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: line,
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxResponseBytes: null,
    });
    if (status < 200 || status > 299)
      throw new Error(`The checkpoint server responded with status ${status}.`);
  };
}
