import { Readable } from 'node:stream';
import { addAuditEntry } from '../../platform/audit.repository.ts';
import { damageRecord } from '../../platform/damage.ts';
import { ServiceError } from '../../shared/errors.ts';
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
      const content = await services.files.open(client, row.fileId).catch(reported);
      if (!content) continue;
      try {
        yield { name: picturePath(row), open: () => Readable.from(legible(content), { objectMode: false }) };
      } finally {
        content.destroy();
      }
    }

  async function* legible(content: Readable) {
    try {
      yield* content;
    } catch (error) {
      await reported(error);
    }
  }

  async function reported(error: unknown): Promise<null> {
    if (!(error instanceof ServiceError) || !error.damaged) throw error;
    await addAuditEntry(client, { ...trailFacts(subject), ...damageRecord(error.damaged) });
    return null;
  }
}
