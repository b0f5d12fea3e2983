import type { Readable } from 'node:stream';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import { toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import { openReadableContent } from '../files/open-readable-content.ts';
import { type ExportServices, idsOf, type Subject, trailFacts } from './export-lists.ts';
import { picturePath } from './exported-data.view.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { readPictures } from './personal-rows.repository.ts';

type Services = ExportServices & Pick<PersonalDataServices, 'files'>;

/**
 * The pictures of a person's memory tags, each opened when its turn comes. One that was deleted meanwhile is left out; one
 * that does not open any more ends where it does not, and is recorded.
 */
export async function* galleryFiles(
  services: Services,
  subject: Subject,
): AsyncGenerator<{ name: string; open(): Readable }> {
  const { client } = services.database;
  for await (const ids of idsOf(services, subject.userId, 'pictures'))
    for (const row of await readPictures(client, ids)) {
      const content = await openReadableContent(services.files, client, row.fileId, (damaged) =>
        insertAuditEntry(client, { ...trailFacts(subject), ...toIntegrityFailureEntry(damaged) }),
      );
      if (!content) continue;
      try {
        yield { name: picturePath(row), open: () => content };
      } finally {
        content.destroy();
      }
    }
}
