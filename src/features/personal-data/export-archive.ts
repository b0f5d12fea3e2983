import { basename } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { picturePath } from '../accounts/profile-picture-files.ts';
import { findUser } from '../accounts/user.repository.ts';
import { imagePath } from '../qrcodes/image-files.ts';
import { type ExportServices, exportLists, idsOf, type Subject } from './export-lists.ts';
import { README } from './export-readme.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { readImageNames } from './personal-rows.repository.ts';

type Services = ExportServices & Pick<PersonalDataServices, 'publicFiles'>;

/** A file of the archive: its name, and what it holds, opened when its turn comes. */
interface Entry {
  name: string;
  compress: boolean;
  open(): Readable;
}

/** What is one value in `data.json`; everything else is a list. */
const SINGLE = ['profile', 'package', 'notificationSettings'];

/**
 * All that is a person's as a zip, made while it is read: one file, one batch of rows at a time is in memory. The stream
 * fails where the account is erased meanwhile. Destroy it and nothing more is read.
 */
export function exportArchive(services: Services, subject: Subject): Readable {
  const zip = new ZipFile();
  // A PassThrough, of which the types say less.
  const output = zip.outputStream as Readable;
  const stop = new AbortController();
  output.once('close', () => stop.abort());
  const fail = (error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error('The archive could not be made.'));
  // What fails before anybody reads, and what the zip tells of a file, would end the process with nobody listening.
  output.on('error', () => undefined);
  zip.on('error', fail);
  fill(zip, entriesOf(services, subject), stop.signal).catch(fail);
  return output;
}

async function fill(zip: ZipFile, entries: AsyncIterable<Entry>, signal: AbortSignal): Promise<void> {
  for await (const entry of entries) {
    signal.throwIfAborted();
    await add(zip, entry, signal);
  }
  zip.end();
}

/** Adds a file; resolves when it was read to its end, so that no two are open at once. */
function add(zip: ZipFile, { name, compress, open }: Entry, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // The turn of a file never comes once nobody reads.
    const stopped = () => reject(signal.reason);
    signal.addEventListener('abort', stopped, { once: true });
    zip.addReadStreamLazy(name, { compress, mode: 0o100600 }, (take) => {
      const stream = addAbortSignal(signal, open());
      stream.once('error', reject);
      stream.once('end', () => {
        signal.removeEventListener('abort', stopped);
        resolve();
      });
      take(null, stream);
    });
  });
}

async function* entriesOf(services: Services, subject: Subject): AsyncGenerator<Entry> {
  const madeAt = new Date();
  yield { name: 'README.txt', compress: true, open: () => Readable.from([README]) };
  yield { name: 'data.json', compress: true, open: () => Readable.from(dataJson(services, subject, madeAt)) };
  const person = await findUser(services.database.client, subject.userId);
  if (person?.profilePicture) yield* picture(services, 'pictures', picturePath(person.profilePicture));
  for (const list of ['qrCodes', 'deletedQrCodes'] as const)
    for await (const ids of idsOf(services, subject.userId, list))
      for (const image of await readImageNames(services.database.client, ids))
        yield* picture(services, 'qrcodes', imagePath(image));
}

/** A picture; none where it was replaced since its row was read. */
async function* picture({ publicFiles }: Services, folder: string, path: string): AsyncGenerator<Entry> {
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
