import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { createTextEntry, createZipStream, type ZipEntry } from '../../platform/zip-stream.ts';
import { getImagePath } from '../codes/index.ts';
import { findUser, getProfilePicturePath } from '../identity/index.ts';
import { readDocumentFiles } from './export-documents.ts';
import { readGalleryFiles } from './export-gallery.ts';
import { createExportLists, type ExportServices, type ExportSubject, readIds } from './export-lists.ts';
import { EXPORT_README } from './export-readme.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { readImageNames } from './personal-rows.repository.ts';

type Services = ExportServices & Pick<PersonalDataServices, 'publicFiles' | 'files'>;

/** What is one value in `data.json`; everything else is a list. */
const SINGLE_VALUE_FIELDS = ['profile', 'package', 'notificationSettings'];

/**
 * All that is a person's as a zip, made while it is read: one file, one batch of rows at a time is in memory. The stream
 * fails where the account is erased meanwhile. Destroy it and nothing more is read.
 */
export function createExportArchive(services: Services, subject: ExportSubject): Readable {
  return createZipStream(generateEntries(services, subject));
}

async function* generateEntries(services: Services, subject: ExportSubject): AsyncGenerator<ZipEntry> {
  const madeAt = new Date();
  yield createTextEntry('README.txt', [EXPORT_README]);
  yield createTextEntry('data.json', generateDataJson(services, subject, madeAt));
  const user = await findUser(services.database.client, subject.userId);
  if (user?.profilePicture)
    yield* generatePicture(services, 'pictures', getProfilePicturePath(user.profilePicture));
  for (const list of ['qrCodes', 'deletedQrCodes'] as const)
    for await (const ids of readIds(services, subject.userId, list))
      for (const image of await readImageNames(services.database.client, ids))
        yield* generatePicture(services, 'qrcodes', getImagePath(image));
  for await (const file of readDocumentFiles(services, subject)) yield { ...file, compress: false };
  for await (const file of readGalleryFiles(services, subject)) yield { ...file, compress: false };
}

/** A picture; none where it was replaced since its row was read. */
async function* generatePicture(
  { publicFiles }: Services,
  folder: string,
  path: string,
): AsyncGenerator<ZipEntry> {
  const content = await publicFiles.open(path);
  if (!content) return;
  try {
    yield { name: `${folder}/${basename(path)}`, compress: false, open: () => content };
  } finally {
    content.destroy();
  }
}

async function* generateDataJson(
  services: ExportServices,
  subject: ExportSubject,
  madeAt: Date,
): AsyncGenerator<string> {
  const head = { format: 'personal-data', version: 1, madeAt: madeAt.toISOString() };
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, batches] of createExportLists(services, subject)) {
    const isSingle = SINGLE_VALUE_FIELDS.includes(name);
    yield `,\n"${name}": ${isSingle ? '' : '['}`;
    let separator = '\n';
    for await (const items of batches()) {
      if (items.length === 0) continue;
      yield (isSingle ? '' : separator) + items.map((item) => JSON.stringify(item)).join(',\n');
      separator = ',\n';
    }
    if (!isSingle) yield ']';
  }
  yield '}\n';
}
