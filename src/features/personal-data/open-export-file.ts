import type { Readable } from 'node:stream';
import { ServiceError } from '../../shared/errors.ts';
import { StoredFileMissingError } from '../files/index.ts';
import { type DataExportRow, markDataExportFileMissing } from './data-export.repository.ts';
import { recordFailedDataExport } from './make-export.job.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

/**
 * Open the file of a ready export. If it is missing the export becomes FAILED, so that nothing offers it any longer.
 * @throws EXPORT_FAILED if the file is missing, NOT_FOUND if the export was removed meanwhile, DATA_INTEGRITY
 */
export async function openDataExportFile(
  { database, files }: Pick<PersonalDataServices, 'database' | 'files'>,
  row: DataExportRow & { fileId: string },
): Promise<Readable> {
  try {
    const content = await files.open(database.client, row.userId, row.fileId);
    if (content) return content;
  } catch (error) {
    if (!(error instanceof StoredFileMissingError)) throw error;
    await database.transaction(async (tx) => {
      if (!(await markDataExportFileMissing(tx, row))) return;
      await files.remove(tx, [row.fileId]);
      await recordFailedDataExport(tx, row.userId);
    });
    throw new ServiceError('EXPORT_FAILED', { integrityFailure: error.integrityFailure });
  }
  throw new ServiceError('NOT_FOUND');
}
