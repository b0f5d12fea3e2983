import { insertAuditEntries, insertAuditEntry } from '../../platform/audit.repository.ts';
import { toIntegrityFailureAuditEntry } from '../../platform/integrity-failure.ts';
import type { ExportRowSource } from '../../platform/personal-data.ts';
import { listUserRowCursors, type SizedRowCursor } from '../../platform/personal-rows.repository.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import { openQrCodeImage } from '../codes/index.ts';
import { openPrivateFileForArchive } from '../files/index.ts';
import { isExistingUser } from './account.repository.ts';
import { splitIntoBatchesByBytes } from './erase-batch.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import type { DataExportContext } from './registry.ts';

/** Rows and bytes in memory at a time; small enough that other requests are served between two batches. */
const BATCH_SIZE = 250;
const BATCH_BYTES = 1024 * 1024;

export type DataExportServices = Pick<
  PersonalDataServices,
  'database' | 'fieldCipher' | 'publicBaseUrl' | 'getPlan' | 'files' | 'publicFiles'
>;

/** User of an export, and the operation and request that the audit trail records for it. */
export interface DataExportSubject {
  userId: string;
  operation: string;
  requestId: string;
}

export function toDataExportSubject(requestContext: RequestContext, userId: string): DataExportSubject {
  return { userId, operation: requestContext.operation, requestId: requestContext.requestId };
}

/** Create the context of an export. Integrity failures of values are recorded by `recordIntegrityFailures`. */
export function createDataExportContext(services: DataExportServices, subject: DataExportSubject) {
  const { client } = services.database;
  const { userId, operation, requestId } = subject;
  const auditFields = { outcome: 'SUCCESS' as const, actorId: userId, operation, requestId };
  const failures: IntegrityFailure[] = [];
  const recordIntegrityFailure = (failure: IntegrityFailure) =>
    insertAuditEntry(client, { ...auditFields, ...toIntegrityFailureAuditEntry(failure) });

  const context: DataExportContext = {
    db: client,
    userId,
    fieldCipher: services.fieldCipher,
    publicBaseUrl: services.publicBaseUrl,
    getPlan: services.getPlan,
    batchSize: BATCH_SIZE,
    readIds: (source) => readIds(services, userId, source),
    onIntegrityFailure: (failure) => failures.push(failure),
    recordReads: (action, resourceIds) => insertAuditEntries(client, { ...auditFields, action }, resourceIds),
    openPrivateFile: (file) =>
      openPrivateFileForArchive(services.files, client, file, recordIntegrityFailure),
    openPublicFile: (path) => services.publicFiles.open(path),
    openQrCodeImage: (imageFile) => openQrCodeImage(services, imageFile),
  };

  return {
    context,
    async recordIntegrityFailures(): Promise<void> {
      for (const failure of failures.splice(0)) await recordIntegrityFailure(failure);
    },
  };
}

async function* readIds(
  { database }: Pick<DataExportServices, 'database'>,
  userId: string,
  source: ExportRowSource,
): AsyncGenerator<string[]> {
  for (let after: TimeCursor | null = null; ; ) {
    if (!(await isExistingUser(database.client, userId))) throw new ServiceError('NOT_FOUND');
    const rows: SizedRowCursor[] = await listUserRowCursors(
      database.client,
      source,
      userId,
      after,
      BATCH_SIZE,
    );
    for (const batch of splitIntoBatchesByBytes(rows, BATCH_BYTES)) yield batch.map(({ id }) => id);
    after = rows.at(-1) ?? null;
    if (rows.length < BATCH_SIZE) return;
  }
}
