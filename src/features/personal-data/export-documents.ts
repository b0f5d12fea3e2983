import type { Readable } from 'node:stream';
import { addAuditEntry } from '../../platform/audit.repository.ts';
import { damageRecord, readable } from '../../platform/damage.ts';
import { openFileName } from '../documents/sealed-fields.ts';
import { openLegible } from '../files/open-legible.ts';
import { type ExportServices, idsOf, type Subject, trailFacts } from './export-lists.ts';
import { documentPath } from './exported-data.view.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { readDocuments } from './personal-rows.repository.ts';

type Services = ExportServices & Pick<PersonalDataServices, 'files'>;

/**
 * The files of a person's documents, each opened when its turn comes. One that was deleted meanwhile or waits to be checked
 * for malware is left out; one that does not open any more ends where it does not, and is recorded.
 */
export async function* documentFiles(
  services: Services,
  subject: Subject,
): AsyncGenerator<{ name: string; open(): Readable }> {
  const { database, vault, files } = services;
  for await (const ids of idsOf(services, subject.userId, 'documents'))
    for (const { id, versions } of await readDocuments(database.client, ids))
      for (const version of versions) {
        // Nobody reads what was not checked yet.
        if (version.malwareCheck === 'WAITING') continue;
        // What a name has of damage is told where it stands in data.json.
        const fileName = readable(
          () => openFileName(vault, version),
          () => undefined,
        );
        const content = await openLegible(files, database.client, version.fileId, (damaged) =>
          addAuditEntry(database.client, { ...trailFacts(subject), ...damageRecord(damaged) }),
        );
        if (!content) continue;
        const name = documentPath(id, version.number, fileName);
        try {
          yield { name, open: () => content };
        } finally {
          content.destroy();
        }
      }
}
