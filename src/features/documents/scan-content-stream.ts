import {
  type MalwareScan,
  MalwareScannerUnavailableError,
  type MalwareVerdict,
} from '../../providers/malware/malware.port.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { DocumentServices } from './document-services.ts';
import type { MalwareCheckStatus } from './document-version.repository.ts';

/** A content that goes by, and is checked meanwhile. */
export interface MalwareScannedContent {
  /**
   * The bytes as they come; the last ones are followed by the verdict. Ends with FILE_INFECTED, and where nothing is held
   * for later with PROVIDER_UNAVAILABLE as soon as the scanner is found away.
   */
  chunks: AsyncGenerator<Buffer>;
  /** What came of it, once all of it went by. */
  getResult(): MalwareCheckStatus;
}

/** Has a content checked for malware while it comes: it is read once, and never held. */
export function scanContentStream(
  { malwareCheck }: Pick<DocumentServices, 'malwareCheck'>,
  content: AsyncIterable<Buffer>,
  handlers: { onInfected(signature: string): Promise<void>; onAway(reason: string): void },
): MalwareScannedContent {
  let result: MalwareCheckStatus = 'NOT_CHECKED';

  async function* pieces() {
    let scan: MalwareScan | null = malwareCheck?.scanner.startScan() ?? null;
    /** What `work` answers; null once the scanner is away. */
    async function of<Answer>(work: (scan: MalwareScan) => Promise<Answer>): Promise<Answer | null> {
      try {
        return scan && (await work(scan));
      } catch (error) {
        if (!(error instanceof MalwareScannerUnavailableError)) throw error;
        scan = null;
        handlers.onAway(error.message);
        if (malwareCheck?.whenUnavailable === 'refuse') throw createScannerUnavailableError(error);
        result = 'WAITING';
        return null;
      }
    }
    try {
      for await (const chunk of content) {
        await of((scan) => scan.send(chunk));
        yield chunk;
      }
      const verdict = await of((scan) => scan.end());
      if (verdict) await settle(verdict);
    } finally {
      scan?.abort();
    }
  }

  async function settle(verdict: MalwareVerdict): Promise<void> {
    if (verdict.is === 'CLEAN') result = 'CLEAN';
    if (verdict.is !== 'INFECTED') return;
    await handlers.onInfected(verdict.signature);
    throw new ServiceError('FILE_INFECTED');
  }

  return { chunks: pieces(), getResult: () => result };
}

function createScannerUnavailableError(cause: Error): ServiceError {
  const detail = 'What checks files for malware does not answer.';
  return new ServiceError('PROVIDER_UNAVAILABLE', { detail, retryAfterSeconds: 30, cause });
}
