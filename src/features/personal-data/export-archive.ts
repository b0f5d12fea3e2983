import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { createTextEntry, createZipStream, type ZipEntry } from '../../platform/zip-stream.ts';
import { getProfilePicturePath } from '../accounts/profile-picture-files.ts';
import { findUser } from '../accounts/user.repository.ts';
import { imagePath } from '../qrcodes/image-files.ts';
import { documentFiles } from './export-documents.ts';
import { galleryFiles } from './export-gallery.ts';
import { type ExportServices, exportLists, idsOf, type Subject } from './export-lists.ts';
import { README } from './export-readme.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { readImageNames } from './personal-rows.repository.ts';

type Services = ExportServices & Pick<PersonalDataServices, 'publicFiles' | 'files'>;

/** What is one value in `data.json`; everything else is a list. */
const SINGLE = ['profile', 'package', 'notificationSettings'];

/**
 * All that is a person's as a zip, made while it is read: one file, one batch of rows at a time is in memory. The stream
 * fails where the account is erased meanwhile. Destroy it and nothing more is read.
 */
export function exportArchive(services: Services, subject: Subject): Readable {
  return createZipStream(entriesOf(services, subject));
}

async function* entriesOf(services: Services, subject: Subject): AsyncGenerator<ZipEntry> {
  const madeAt = new Date();
  yield createTextEntry('README.txt', [README]);
  yield createTextEntry('data.json', dataJson(services, subject, madeAt));
  const person = await findUser(services.database.client, subject.userId);
  if (person?.profilePicture)
    yield* picture(services, 'pictures', getProfilePicturePath(person.profilePicture));
  for (const list of ['qrCodes', 'deletedQrCodes'] as const)
    for await (const ids of idsOf(services, subject.userId, list))
      for (const image of await readImageNames(services.database.client, ids))
        yield* picture(services, 'qrcodes', imagePath(image));
  for await (const file of documentFiles(services, subject)) yield { ...file, compress: false };
  for await (const file of galleryFiles(services, subject)) yield { ...file, compress: false };
}

/** A picture; none where it was replaced since its row was read. */
async function* picture({ publicFiles }: Services, folder: string, path: string): AsyncGenerator<ZipEntry> {
  const content = await publicFiles.open(path);
  if (!content) return;
  try {
    yield { name: `${folder}/${basename(path)}`, compress: false, open: () => content };
  } finally {
    content.destroy();
  }
}

async function* dataJson(services: ExportServices, subject: Subject, madeAt: Date): AsyncGenerator<string> {
  const head = { format: 'personal-data', version: 1, madeAt: madeAt.toISOString() };
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, batches] of exportLists(services, subject)) {
    const isSingle = SINGLE.includes(name);
    yield `,\n"${name}": ${isSingle ? '' : '['}`;
    let before = '\n';
    for await (const items of batches()) {
      if (items.length === 0) continue;
      yield (isSingle ? '' : before) + items.map((item) => JSON.stringify(item)).join(',\n');
      before = ',\n';
    }
    if (!isSingle) yield ']';
  }
  yield '}\n';
}
