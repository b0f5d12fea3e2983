import { Type } from 'typebox';
import {
  defineExportedRows,
  definePersonalData,
  defineTableDeletedOnErasure,
  type ExportArchiveFile,
  type ExportRowSource,
  type PersonalDataExportContext,
} from '../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { findPicturesByIds, type PictureRow } from './pictures/gallery.repository.ts';
import { markOwnerFilesRemoved } from './stored-file.repository.ts';

/** An archive contains neither other archives nor files of deleted pictures, imports or print sheets. */
const INCLUDED_FILES = `state = 'STORED'
  AND NOT EXISTS (SELECT FROM data_exports WHERE data_exports.file_id = stored_files.id)
  AND NOT EXISTS (SELECT FROM deleted_pictures WHERE deleted_pictures.file_id = stored_files.id)
  AND NOT EXISTS (SELECT FROM imports WHERE imports.file_id = stored_files.id)
  AND NOT EXISTS (SELECT FROM print_sheets WHERE print_sheets.file_id = stored_files.id)`;

const PICTURE_SOURCE: ExportRowSource = { table: 'pictures', user: 'account_id', at: 'created_at' };

export const filesPersonalData = definePersonalData({
  tables: {
    pictures: defineTableDeletedOnErasure(
      { in: 'memoryTagPictures, qrCodePictures, memory-tags/, qrcode-pictures/' },
      {
        how: 'Pictures of the account’s codes and memory tags, including those added by caretakers.',
        erase: createRowDeletionStep('pictures', 'account_id'),
        size: { users: ['account_id'] },
      },
    ),
    deleted_pictures: defineTableDeletedOnErasure(
      { not: 'deleted by the account; they are removed for good after a day' },
      { erase: createRowDeletionStep('deleted_pictures', 'account_id') },
    ),
    stored_files: defineTableDeletedOnErasure(
      { not: 'file keys; the files themselves are in the archive' },
      {
        how: 'Keys are deleted first, so that the files cannot be decrypted; the job deletes the files.',
        erase: async (tx, { userId }, { limit }) => (await markOwnerFilesRemoved(tx, userId, limit)) < limit,
        size: { users: ['account_id'], bytes: 'size', where: INCLUDED_FILES, isUncounted: true },
      },
    ),
    picture_renditions: defineTableDeletedOnErasure(
      { not: 'smaller sizes of pictures in the archive' },
      { how: 'With their pictures.' },
    ),
  },
  lists: {
    memoryTagPictures: defineExportedPictures('memory_tag_id', 'of the memory tag', { memoryTagId: Id }),
    qrCodePictures: defineExportedPictures('qr_code_id', 'of the code', { qrCodeId: Id }),
  },
  files: readPictureFiles,
});

function defineExportedPictures(
  column: 'memory_tag_id' | 'qr_code_id',
  ofGallery: string,
  gallery: Record<string, typeof Id>,
) {
  return defineExportedRows({
    item: Type.Object({
      id: Id,
      ...gallery,
      caption: nullable(Type.String()),
      position: Type.Integer({ description: `Position among the pictures ${ofGallery}, from 1.` }),
      width: Type.Integer(),
      height: Type.Integer(),
      file: Type.String({ description: 'Path in the archive.' }),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    }),
    description: 'Newest first.',
    sources: [{ ...PICTURE_SOURCE, where: `${column} IS NOT NULL` }],
    findByIds: findPicturesByIds,
    toItem: (_context, row) => toExportedPicture(row),
  });
}

function toExportedPicture(row: PictureRow) {
  const { id, memoryTagId, qrCodeId, caption, position, width, height } = row;
  return {
    id,
    ...(memoryTagId === null ? { qrCodeId } : { memoryTagId }),
    caption,
    position,
    width,
    height,
    file: getArchivePath(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

async function* readPictureFiles(context: PersonalDataExportContext): AsyncGenerator<ExportArchiveFile> {
  for await (const ids of context.readIds(PICTURE_SOURCE))
    for (const row of await findPicturesByIds(context.db, context.userId, ids))
      yield {
        name: getArchivePath(row),
        open: () => context.openPrivateFile({ accountId: row.accountId, id: row.fileId }),
      };
}

function getArchivePath({ id, memoryTagId, qrCodeId, format }: PictureRow): string {
  const folder = memoryTagId === null ? `qrcode-pictures/${qrCodeId}` : `memory-tags/${memoryTagId}`;
  return `${folder}/${id}.${format === 'jpeg' ? 'jpg' : format}`;
}
