import { addAuditEntry } from '../../platform/audit.repository.ts';
import { damageRecord } from '../../platform/damage.ts';
import type { Database } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { Queue } from '../../platform/jobs.ts';
import {
  type MalwareScanner,
  MalwareScannerAwayError,
  type MalwareVerdict,
} from '../../providers/malware/malware.port.ts';
import { type DamagedValue, ServiceError } from '../../shared/errors.ts';
import type { FileKeeper } from '../files/file-keeper.ts';
import { type DocumentVersionRow, findWaiting, noteChecked } from './document-version.repository.ts';
import { removeInfected } from './remove-infected.ts';

/** The queue that has what was held back checked, once the scanner is back. */
export const CHECK_HELD_QUEUE: Queue = {
  name: 'check-held-documents',
  expireInSeconds: 900,
  retryLimit: 1,
  retryDelay: 60,
};

const JOB = { operation: CHECK_HELD_QUEUE.name, requestId: 'job' } as const;

/** Milliseconds after which one run begins with no further file: the next one goes on. */
const RUN_MS = 300_000;

interface Services {
  database: Database;
  files: FileKeeper;
  scanner: MalwareScanner;
  wake(): void;
}

/** Checks what waits for it, oldest first, streamed out of the store: what is clean can be read then, what is infected is removed. */
export function checkHeldJob(services: Services): JobHandler {
  const { database, scanner } = services;
  const told = new Set<string>();

  /** Damage is recorded once by each process, and the file stays held. */
  async function recordDamage(id: string, damaged: DamagedValue): Promise<void> {
    if (told.has(id)) return;
    await addAuditEntry(database.client, { ...JOB, ...damageRecord(damaged) });
    told.add(id);
  }

  return async () => {
    const until = performance.now() + RUN_MS;
    let version = await findWaiting(database.client, null);
    while (version && performance.now() < until) {
      try {
        const verdict = await verdictOn(services, version);
        if (verdict) await settle(services, version, verdict);
      } catch (error) {
        const damaged = error instanceof ServiceError ? error.damaged : undefined;
        if (damaged) await recordDamage(version.id, damaged);
        else if (!(error instanceof MalwareScannerAwayError)) throw error;
        // One file that takes too long does not keep the others waiting.
        else if (!(await scanner.isThere())) return;
      }
      version = await findWaiting(database.client, version);
    }
  };
}

/** Null where the file was deleted meanwhile. */
async function verdictOn(
  { database, files, scanner }: Services,
  { fileId }: DocumentVersionRow,
): Promise<MalwareVerdict | null> {
  const content = await files.open(database.client, fileId);
  if (!content) return null;
  const scan = scanner.begin();
  try {
    for await (const piece of content) await scan.send(piece);
    return await scan.end();
  } finally {
    scan.abort();
  }
}

async function settle(
  { database, files, wake }: Services,
  version: DocumentVersionRow,
  verdict: MalwareVerdict,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (verdict.is === 'INFECTED') await removeInfected({ files, job: JOB }, tx, version, verdict.signature);
    else await noteChecked(tx, version.id, verdict.is === 'CLEAN' ? 'CLEAN' : 'NOT_CHECKED');
  });
  if (verdict.is === 'INFECTED') wake();
}
