import {
  type MalwareScan,
  MalwareScannerUnavailableError,
  type MalwareVerdict,
} from '../../providers/malware/malware.port.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { DocumentServices } from './document-services.ts';
import type { MalwareCheckStatus } from './document-version.repository.ts';

/** Below the 60 s that common proxies wait for a response. */
export const MAX_UPLOAD_SCAN_WAIT_MS = 50_000;

export interface MalwareScannedContent {
  /** Ends after the verdict. Fails with FILE_INFECTED, or PROVIDER_UNAVAILABLE if uploads are rejected. */
  chunks: AsyncGenerator<Buffer>;
  /** Call it after the last chunk. */
  getResult(): MalwareCheckStatus;
}

export function scanContentForMalware(
  { malwareCheck }: Pick<DocumentServices, 'malwareCheck'>,
  content: AsyncIterable<Buffer>,
  options: {
    onInfected(signature: string): Promise<void>;
    onUnavailable(reason: string): void;
    /** Ends the scan. */
    disconnect: AbortSignal;
  },
): MalwareScannedContent {
  let result: MalwareCheckStatus = 'NOT_CHECKED';

  async function* scanChunks() {
    let scan: MalwareScan | null =
      malwareCheck?.scanner.startScan({ maxWaitMs: MAX_UPLOAD_SCAN_WAIT_MS }) ?? null;
    async function callScanner<Answer>(call: (scan: MalwareScan) => Promise<Answer>): Promise<Answer | null> {
      try {
        return scan && (await call(scan));
      } catch (error) {
        options.disconnect.throwIfAborted();
        if (!(error instanceof MalwareScannerUnavailableError)) throw error;
        scan = null;
        options.onUnavailable(error.message);
        if (malwareCheck?.whenUnavailable === 'refuse') throw createScannerUnavailableError(error);
        result = 'WAITING';
        return null;
      }
    }
    const abort = () => scan?.abort();
    options.disconnect.addEventListener('abort', abort);
    try {
      for await (const chunk of content) {
        await callScanner((scan) => scan.send(chunk));
        yield chunk;
      }
      const verdict = await callScanner((scan) => scan.end());
      if (verdict) await applyVerdict(verdict);
    } finally {
      options.disconnect.removeEventListener('abort', abort);
      scan?.abort();
    }
  }

  async function applyVerdict(verdict: MalwareVerdict): Promise<void> {
    if (verdict.is === 'CLEAN') result = 'CLEAN';
    if (verdict.is !== 'INFECTED') return;
    await options.onInfected(verdict.signature);
    throw new ServiceError('FILE_INFECTED');
  }

  return { chunks: scanChunks(), getResult: () => result };
}

function createScannerUnavailableError(cause: Error): ServiceError {
  const detail = 'The malware scanner is unavailable.';
  return new ServiceError('PROVIDER_UNAVAILABLE', { detail, retryAfterSeconds: 30, cause });
}
