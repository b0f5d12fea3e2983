import type { Readable } from 'node:stream';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import { readOrReportIntegrityFailure, toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import { decryptFileName } from '../documents/index.ts';
import { openReadableContent } from '../files/index.ts';
import { type ExportServices, type ExportSubject, readIds, toExportAuditFields } from './export-lists.ts';
import { getDocumentEntryPath } from './exported-data.view.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { readDocuments } from './personal-rows.repository.ts';

type Services = ExportServices & Pick<PersonalDataServices, 'files'>;

/**
 * The files of a person's documents, each opened when its turn comes. One that was deleted meanwhile or waits to be checked
 * for malware is left out; one that does not open any more ends where it does not, and is recorded.
 */
export async function* readDocumentFiles(
  services: Services,
  subject: ExportSubject,
): AsyncGenerator<{ name: string; open(): Readable }> {
  const { database, fieldCipher, files } = services;
  for await (const ids of readIds(services, subject.userId, 'documents'))
    for (const { id, versions } of await readDocuments(database.client, ids))
      for (const version of versions) {
        // Nobody reads what was not checked yet.
        if (version.malwareCheck === 'WAITING') continue;
        // What a name has of damage is told where it stands in data.json.
        const fileName = readOrReportIntegrityFailure(
          () => decryptFileName(fieldCipher, version),
          () => undefined,
        );
        const content = await openReadableContent(files, database.client, version.fileId, (failure) =>
          insertAuditEntry(database.client, {
            ...toExportAuditFields(subject),
            ...toIntegrityFailureEntry(failure),
          }),
        );
        if (!content) continue;
        const name = getDocumentEntryPath(id, version.number, fileName);
        try {
          yield { name, open: () => content };
        } finally {
          content.destroy();
        }
      }
}
