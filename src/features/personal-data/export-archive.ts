import type { Readable } from 'node:stream';
import { createZipStream, createZipTextEntry, type ZipEntry } from '../../platform/zip-stream.ts';
import {
  createDataExportContext,
  type DataExportServices,
  type DataExportSubject,
} from './export-context.ts';
import { DATA_EXPORT_README } from './export-readme.ts';
import { ExportedData } from './personal-data.schemas.ts';
import { DATA_EXPORT_FILE_SOURCES, EXPORTED_DATA_LISTS } from './registry.ts';

/**
 * Create a zip with all data of a user as a stream. One file or one batch of rows is in memory at a time. The stream
 * fails if the account is erased in the meantime. Destroy it to stop reading.
 */
export function createDataExportArchive(services: DataExportServices, subject: DataExportSubject): Readable {
  return createZipStream(generateEntries(services, subject));
}

async function* generateEntries(
  services: DataExportServices,
  subject: DataExportSubject,
): AsyncGenerator<ZipEntry> {
  const madeAt = new Date();
  yield createZipTextEntry('README.txt', [DATA_EXPORT_README]);
  yield createZipTextEntry('data.schema.json', [`${JSON.stringify(ExportedData, null, 2)}\n`]);
  yield createZipTextEntry('data.json', generateDataJson(services, subject, madeAt));
  const { context } = createDataExportContext(services, subject);
  for (const readFiles of DATA_EXPORT_FILE_SOURCES)
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
  services: DataExportServices,
  subject: DataExportSubject,
  madeAt: Date,
): AsyncGenerator<string> {
  const { context, recordIntegrityFailures } = createDataExportContext(services, subject);
  const header = { format: 'personal-data', version: 1, madeAt: madeAt.toISOString() };
  yield JSON.stringify(header).slice(0, -1);
  for (const [name, { isSingle, read }] of Object.entries(EXPORTED_DATA_LISTS)) {
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
