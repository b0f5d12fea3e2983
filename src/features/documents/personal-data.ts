import { type Static, Type } from 'typebox';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import {
  defineExportedList,
  defineExportedRows,
  definePersonalData,
  defineTableDeletedOnErasure,
  type ExportArchiveFile,
  type ExportRowSource,
  type PersonalDataExportContext,
  type PersonalDataViewContext,
  readById,
} from '../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Metadata, REFERENCE_FIELDS } from '../../shared/metadata.schemas.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import { findUser } from '../identity/index.ts';
import { DOCUMENT_FILE_NAME, DOCUMENT_NOTE } from './encrypted-document-fields.ts';
import { deleteDocumentGrantsByEmailHash, listReceivedDocuments } from './grants/grant.repository.ts';
import { toReceivedDocumentView } from './grants/grant.view.ts';
import { GRANT_EMAIL, hashDocumentGrantEmail } from './grants/grant-email.ts';
import { ReceivedDocument } from './grants/grants.schemas.ts';
import {
  clearDocumentAccessReader,
  findDocumentsByIds,
  listOwnerDocumentAccesses,
} from './personal-data.repository.ts';

const Text = Type.String();

const ExportedDocument = Type.Object({
  id: Id,
  title: Text,
  kind: Text,
  ...REFERENCE_FIELDS,
  note: nullable(Text),
  expiresOn: nullable(Text),
  versions: Type.Array(
    Type.Object({
      number: Type.Integer(),
      fileName: nullable(Text),
      contentType: Text,
      size: Type.Integer(),
      file: Type.String({ description: 'Path in the archive.' }),
      createdAt: Timestamp,
    }),
  ),
  shares: Type.Array(
    Type.Object({
      id: Id,
      qrCodeId: nullable(Id),
      maxViews: nullable(Type.Integer()),
      views: Type.Integer(),
      lastOpenedAt: nullable(Timestamp),
      expiresAt: nullable(Timestamp),
      endedAt: nullable(Timestamp),
      createdAt: Timestamp,
    }),
  ),
  grants: Type.Array(Type.Object({ id: Id, email: nullable(Text), createdAt: Timestamp })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: nullable(Timestamp),
});

const ExportedDocumentAccess = Type.Object({
  id: Id,
  documentId: Id,
  shareId: nullable(
    Type.String({
      description: 'The share link that it was opened by; null for a user who was granted the document.',
    }),
  ),
  versionNumber: Type.Integer(),
  device: nullable(Text),
  os: nullable(Text),
  browser: nullable(Text),
  readAt: Timestamp,
});

const DOCUMENT_SOURCE: ExportRowSource = {
  table: 'documents',
  user: 'account_id',
  at: 'created_at',
  bytes: '0 + coalesce(octet_length(note), 0)',
};

type DocumentRow = Awaited<ReturnType<typeof findDocumentsByIds>>[number];

export const documentsPersonalData = definePersonalData({
  tables: {
    documents: defineTableDeletedOnErasure(
      { in: 'documents, documents/' },
      { erase: createRowDeletionStep('documents', 'account_id') },
    ),
    document_versions: defineTableDeletedOnErasure(
      { in: 'documents, documents/' },
      { how: 'With their documents. Their files are deleted, too.', size: { users: ['account_id'] } },
    ),
    document_shares: defineTableDeletedOnErasure(
      { in: 'documents' },
      { how: 'With their documents. The links stop working.' },
    ),
    document_grants: defineTableDeletedOnErasure(
      { in: 'documents, receivedDocuments' },
      {
        how: 'With their documents. Grants of others to the address are deleted, too.',
        eraseWithAccount: (tx, { email, fieldCipher }) =>
          deleteDocumentGrantsByEmailHash(tx, hashDocumentGrantEmail(fieldCipher, email)),
      },
    ),
    document_accesses: defineTableDeletedOnErasure(
      { in: 'documentAccesses' },
      {
        how: 'With their documents. Of accesses to documents of others only `reader_id` is cleared.',
        clearReferences: clearDocumentAccessReader,
        size: { users: ['account_id'] },
      },
    ),
  },
  lists: {
    documents: defineExportedRows({
      item: ExportedDocument,
      description: 'Newest first.',
      sources: [DOCUMENT_SOURCE],
      findByIds: findDocumentsByIds,
      // Their files follow in the archive.
      recordReads: (context, rows) =>
        context.recordReads(
          'DOCUMENT_READ',
          rows.map(({ id }) => id),
        ),
      toItem: toExportedDocument,
    }),
    receivedDocuments: defineExportedList({
      item: Type.Object(ReceivedDocument.properties),
      description: 'Documents that others granted to your address, newest first.',
      read: readReceivedDocuments,
    }),
    documentAccesses: defineExportedList({
      item: ExportedDocumentAccess,
      description: 'Accesses to your documents.',
      async *read({ db, userId, batchSize }: PersonalDataExportContext) {
        const batches = readById(batchSize, (afterId, take) =>
          listOwnerDocumentAccesses(db, userId, afterId, take),
        );
        for await (const rows of batches)
          yield rows.map((row) => ({ ...row, readAt: row.readAt.toISOString() }));
      },
    }),
  },
  files: readDocumentFiles,
});

function toExportedDocument(
  { fieldCipher, onIntegrityFailure }: PersonalDataViewContext,
  row: DocumentRow,
): Static<typeof ExportedDocument> {
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    externalId: row.externalId ?? row.deletedExternalId,
    metadata: row.metadata as Metadata,
    note: readOrReportIntegrityFailure(() => DOCUMENT_NOTE.decrypt(fieldCipher, row), onIntegrityFailure),
    expiresOn: row.expiresOn?.toISOString().slice(0, 10) ?? null,
    versions: row.versions.map((version) => {
      const fileName = readOrReportIntegrityFailure(
        () => DOCUMENT_FILE_NAME.decrypt(fieldCipher, version),
        onIntegrityFailure,
      );
      return {
        number: version.number,
        fileName,
        contentType: version.contentType,
        size: Number(version.size),
        file: getArchivePath(row.id, version.number, fileName),
        createdAt: version.createdAt.toISOString(),
      };
    }),
    shares: row.shares.map((share) => ({
      id: share.id,
      qrCodeId: share.qrCodeId,
      maxViews: share.maxViews,
      views: share.views,
      lastOpenedAt: share.lastOpenedAt?.toISOString() ?? null,
      expiresAt: share.expiresAt?.toISOString() ?? null,
      endedAt: share.endedAt?.toISOString() ?? null,
      createdAt: share.createdAt.toISOString(),
    })),
    grants: row.grants.map((grant) => ({
      id: grant.id,
      email: readOrReportIntegrityFailure(() => GRANT_EMAIL.decrypt(fieldCipher, grant), onIntegrityFailure),
      createdAt: grant.createdAt.toISOString(),
    })),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}

async function* readReceivedDocuments({
  db,
  userId,
  fieldCipher,
  batchSize,
}: PersonalDataExportContext): AsyncGenerator<Static<typeof ReceivedDocument>[]> {
  const user = await findUser(db, userId);
  if (!user) throw new ServiceError('NOT_FOUND');
  const emailHash = hashDocumentGrantEmail(fieldCipher, user.email);
  for (let after: TimeCursor | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof listReceivedDocuments>> = await listReceivedDocuments(
      db,
      emailHash,
      after,
      batchSize,
    );
    yield rows.map(toReceivedDocumentView);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = { at: last.createdAt, id: last.id };
  }
}

async function* readDocumentFiles(context: PersonalDataExportContext): AsyncGenerator<ExportArchiveFile> {
  for await (const ids of context.readIds(DOCUMENT_SOURCE))
    for (const { id, versions } of await findDocumentsByIds(context.db, context.userId, ids))
      for (const version of versions) {
        // Not exported before it is checked for malware.
        if (version.malwareCheck === 'WAITING') continue;
        // An integrity failure of the name is reported when data.json is written.
        const fileName = readOrReportIntegrityFailure(
          () => DOCUMENT_FILE_NAME.decrypt(context.fieldCipher, version),
          () => undefined,
        );
        yield {
          name: getArchivePath(id, version.number, fileName),
          open: () => context.openPrivateFile({ accountId: version.accountId, id: version.fileId }),
        };
      }
}

function getArchivePath(documentId: string, number: number, fileName: string | null): string {
  return `documents/${documentId}/${number} ${fileName ?? 'document'}`;
}
