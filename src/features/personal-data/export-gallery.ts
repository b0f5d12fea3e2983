import type { Readable } from 'node:stream';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import { toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import { openReadableContent } from '../files/index.ts';
import { type ExportServices, type ExportSubject, readIds, toExportAuditFields } from './export-lists.ts';
import { getPictureEntryPath } from './exported-data.view.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { readPictures } from './personal-rows.repository.ts';

type Services = ExportServices & Pick<PersonalDataServices, 'files'>;

/**
 * The pictures of a person's memory tags, each opened when its turn comes. One that was deleted meanwhile is left out; one
 * that does not open any more ends where it does not, and is recorded.
 */
export async function* readGalleryFiles(
  services: Services,
  subject: ExportSubject,
): AsyncGenerator<{ name: string; open(): Readable }> {
  const { client } = services.database;
  for await (const ids of readIds(services, subject.userId, 'pictures'))
    for (const row of await readPictures(client, ids)) {
      const content = await openReadableContent(services.files, client, row.fileId, (failure) =>
        insertAuditEntry(client, { ...toExportAuditFields(subject), ...toIntegrityFailureEntry(failure) }),
      );
      if (!content) continue;
      try {
        yield { name: getPictureEntryPath(row), open: () => content };
      } finally {
        content.destroy();
      }
    }
}
