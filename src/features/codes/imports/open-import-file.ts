import { Readable } from 'node:stream';
import { ServiceError } from '../../../shared/errors.ts';
import type { PendingFile } from '../../files/index.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import type { ColumnMapping } from './csv-columns.ts';
import type { ImportRecord } from './import.repository.ts';
import { parseColumnMapping } from './map-columns.ts';
import { IMPORT_FORMATS, type ImportFile, type ImportFormat, skipBytes } from './read-rows.ts';

type Services = Pick<QrCodeServices, 'database' | 'files'>;

/** Get the file of an import, to read rows of. It throws NOT_FOUND when it is opened after it was removed. */
export function openImportFile({ database, files }: Services, row: ImportRecord): ImportFile {
  const { accountId, fileId } = row;
  const size = Number(row.size);
  return {
    format: IMPORT_FORMATS.find((name) => name === row.format) ?? 'csv',
    mapping: parseColumnMapping(row.mapping),
    open: (first) =>
      openFrom(first, size, async (range) => fileId && files.open(database.client, accountId, fileId, range)),
  };
}

/** Get the rows that a finished import rejected. */
export function openRejectedRows(
  { database, files }: Services,
  { accountId, fileId }: { accountId: string; fileId: string },
): Pick<ImportFile, 'open'> {
  return {
    async open(first) {
      const content = await files.open(database.client, accountId, fileId);
      if (!content) throw new ServiceError('NOT_FOUND');
      return first === 0 ? content : skipBytes(content, first);
    },
  };
}

/** Get a file that is not kept, to read rows of. */
export function openUploadedFile(
  { files }: Services,
  { format, mapping, file }: { format: ImportFormat; mapping: ColumnMapping | null; file: PendingFile },
): ImportFile {
  return {
    format,
    mapping,
    open: (first) => openFrom(first, file.size, (range) => files.openPending(file, range)),
  };
}

async function openFrom(
  first: number,
  size: number,
  open: (range: { first: number; last: number }) => Promise<Readable | '' | null>,
): Promise<Readable> {
  if (first === size) return Readable.from([]);
  const content = await open({ first, last: size - 1 });
  if (!content) throw new ServiceError('NOT_FOUND');
  return content;
}
