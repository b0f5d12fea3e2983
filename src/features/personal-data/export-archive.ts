import type { Readable } from 'node:stream';
import { createTextEntry, createZipStream, type ZipEntry } from '../../platform/zip-stream.ts';
import { createExportContext, type ExportServices, type ExportSubject } from './export-context.ts';
import { EXPORT_README } from './export-readme.ts';
import { ARCHIVE_FILES, EXPORTED_LISTS } from './registry.ts';

/**
 * Create a zip with all data of a user as a stream. One file or one batch of rows is in memory at a time. The stream
 * fails if the account is erased in the meantime. Destroy it to stop reading.
 */
export function createExportArchive(services: ExportServices, subject: ExportSubject): Readable {
  return createZipStream(generateEntries(services, subject));
}

async function* generateEntries(services: ExportServices, subject: ExportSubject): AsyncGenerator<ZipEntry> {
  const madeAt = new Date();
  yield createTextEntry('README.txt', [EXPORT_README]);
  yield createTextEntry('data.json', generateDataJson(services, subject, madeAt));
  const { context } = createExportContext(services, subject);
  for (const readFiles of ARCHIVE_FILES)
    for await (const file of readFiles(context)) {
      const content = await file.open();
      if (!content) continue;
      try {
        yield { name: file.name, compress: false, open: () => content };
      } finally {
        content.destroy();
      }
    }
}

async function* generateDataJson(
  services: ExportServices,
  subject: ExportSubject,
  madeAt: Date,
): AsyncGenerator<string> {
  const { context, recordIntegrityFailures } = createExportContext(services, subject);
  const header = { format: 'personal-data', version: 1, madeAt: madeAt.toISOString() };
  yield JSON.stringify(header).slice(0, -1);
  for (const [name, { isSingle, read }] of Object.entries(EXPORTED_LISTS)) {
    yield `,\n"${name}": ${isSingle ? '' : '['}`;
    let separator = '\n';
    for await (const items of read(context)) {
      if (items.length > 0) {
        yield (isSingle ? '' : separator) + items.map((item) => JSON.stringify(item)).join(',\n');
        separator = ',\n';
      }
      await recordIntegrityFailures();
    }
    if (!isSingle) yield ']';
  }
  yield '}\n';
}
