import { sendHttpRequest } from '../../shared/http-client.ts';
import { traceWork } from '../../shared/tracing.ts';
import type { AuditCheckpointSender } from './checkpoints.port.ts';

const REQUEST_TIMEOUT_MS = 5_000;

/** @param timeoutMs for tests */
export function createHttpAuditCheckpointSender(
  url: string,
  timeoutMs = REQUEST_TIMEOUT_MS,
): AuditCheckpointSender {
  const send = async (line: string) => {
    const { status } = await sendHttpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: line,
      timeoutMs,
      maxResponseBytes: null,
      propagatesTrace: true,
    });
    if (status < 200 || status > 299)
      throw new Error(`The checkpoint server responded with status ${status}.`);
  };
  return (line) => traceWork('send audit checkpoint', { kind: 'internal' }, () => send(line));
}
