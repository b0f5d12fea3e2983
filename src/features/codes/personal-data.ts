import { type Static, Type } from 'typebox';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import {
  defineExportedList,
  defineExportedRows,
  definePersonalData,
  defineTableDeletedOnErasure,
  defineTableKeptOnErasure,
  type ExportArchiveFile,
  type ExportRowSource,
  type PersonalDataExportContext,
  type PersonalDataViewContext,
} from '../../platform/personal-data.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { type Metadata, REFERENCE_FIELDS } from '../../shared/metadata.schemas.ts';
import { SCAN_COUNT_SCHEMA_PROPERTIES } from '../../shared/scan-counts.schemas.ts';
import { eraseBatches } from './batches/erase-batches.repository.ts';
import { decryptQrCodeData, FOUND_ITEM_REPORT, LOST_ITEM_REPORT } from './encrypted-content.ts';
import { eraseFolders, listFolders } from './folders/folder.repository.ts';
import { getFolderId } from './folders/folder-of-code.ts';
import { getQrCodeImagePath } from './image-files.ts';
import { eraseImports } from './imports/import.repository.ts';
import { eraseOwnerPhones, listOwnerPhones } from './owner-phones/owner-phone.repository.ts';
import { toOwnerPhoneView } from './owner-phones/owner-phone.view.ts';
import { OwnerPhone } from './owner-phones/owner-phones.schemas.ts';
import { MAX_OWNER_PHONES } from './owner-phones/owner-phones.use-case.ts';
import { eraseQrCodeBatch, findQrCodeImageNames, findQrCodesByIds } from './personal-data.repository.ts';
import { erasePrintSheets } from './print-sheets/print-sheet.repository.ts';
import { getCurrentQrCodeStatus, getQrCodeDesign, getQrCodeScanUrl } from './qrcode.view.ts';
import { ShortNumber } from './qrcodes.schemas.ts';
import { eraseSavedViews, listSavedViews } from './saved-views/saved-view.repository.ts';
import { formatShortNumber } from './short-number.rules.ts';

const Text = Type.String();
const AnyObject = Type.Record(Type.String(), Type.Unknown());

const ExportedQrCode = Type.Object({
  id: Id,
  kind: Text,
  mode: Text,
  title: Text,
  status: Text,
  data: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description: 'The content by its kind; null if it fails the integrity check.',
  }),
  visibility: AnyObject,
  design: AnyObject,
  pageDesign: AnyObject,
  ...REFERENCE_FIELDS,
  folderId: nullable(Id),
  lost: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  found: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description: 'The report of a loss that ended within the last week.',
  }),
  hasPin: Type.Boolean(),
  contactable: Type.Boolean(),
  showsPage: Type.Boolean(),
  notifyOn: Text,
  shortNumber: ShortNumber,
  scanUrl: Text,
  image: nullable(Type.String({ description: 'The file in the archive.' })),
  counts: Type.Object(SCAN_COUNT_SCHEMA_PROPERTIES),
  lastScannedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  deletedAt: nullable(Timestamp),
  takenDownAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ExportedFolder = Type.Object({ id: Id, name: Text, color: Text, createdAt: Timestamp });

const ExportedSavedView = Type.Object({ id: Id, name: Text, query: AnyObject, createdAt: Timestamp });

const BYTES =
  '0 + coalesce(octet_length(data), 0) + coalesce(octet_length(lost_details), 0) + coalesce(octet_length(found_details), 0) + coalesce(octet_length(logo), 0)';

const SOURCES: readonly ExportRowSource[] = [
  { table: 'qr_codes', user: 'account_id', at: 'created_at', where: "status <> 'DELETED'", bytes: BYTES },
  { table: 'qr_codes', user: 'account_id', at: 'created_at', where: "status = 'DELETED'", bytes: BYTES },
];

type QrCodeRow = Awaited<ReturnType<typeof findQrCodesByIds>>[number];

export const codesPersonalData = definePersonalData({
  tables: {
    qr_codes: {
      exported: { in: 'qrCodes, qrcodes/' },
      erased: 'EMPTIED',
      how: 'The first 1,000 immediately, the rest by the job; nobody can scan them in the meantime. They cannot be restored. Image files are deleted.',
      columns: {
        retained: [
          'id',
          'account_id',
          'kind',
          'mode',
          'status',
          'deleted_at',
          'version',
          'created_at',
          'updated_at',
        ],
        emptied: [
          'title',
          'search_text',
          'slug',
          'previous_status',
          'data',
          'visibility',
          'design',
          'logo',
          'adjusted',
          'page_design',
          'external_id',
          'metadata',
          'lost_details',
          'found_details',
          'found_at',
          'pin_hash',
          'image_file',
          'contactable',
          'shows_page',
          'notify_on',
          'expires_at',
          'taken_down_at',
          'folder_id',
        ],
      },
      erase: eraseQrCodeBatch,
      size: {
        users: ['account_id'],
        bytes:
          'coalesce(octet_length(data), 0) + coalesce(octet_length(lost_details), 0) + coalesce(octet_length(found_details), 0)',
        file: { column: 'image_file', getPath: getQrCodeImagePath },
      },
    },
    qr_code_counts: defineTableKeptOnErasure(
      'counts of codes by status',
      'Only numbers, of codes whose rows stay.',
    ),
    short_numbers: {
      exported: { in: 'qrCodes' },
      erased: 'KEPT',
      how: 'Random, and printed on labels like the ids of codes, whose rows stay.',
    },
    imports: defineTableDeletedOnErasure(
      { not: 'progress of imports, kept for a week; what they created is in qrCodes' },
      { how: 'Every row of the account. Its file is removed with `stored_files`.', erase: eraseImports },
    ),
    import_errors: defineTableDeletedOnErasure(
      { not: 'errors of imports, kept for a week' },
      { how: 'With their imports.' },
    ),
    print_sheets: defineTableDeletedOnErasure(
      { not: 'labels made from codes, kept for a week; the codes are in qrCodes' },
      {
        how: 'Every row of the account. Its file is removed with `stored_files`.',
        erase: erasePrintSheets,
      },
    ),
    batches: defineTableDeletedOnErasure(
      { not: 'batches of tags; their unclaimed codes are in qrCodes' },
      { how: 'Every row of the account, after its tags.', erase: eraseBatches },
    ),
    batch_tags: defineTableDeletedOnErasure(
      { not: 'tags of batches; the unclaimed ones are in qrCodes' },
      { how: 'Before their batches. A claimed code belongs to another account and stays.' },
    ),
    saved_views: defineTableDeletedOnErasure(
      { in: 'savedViews' },
      { how: 'Every row of the account, deleted ones too.', erase: eraseSavedViews },
    ),
    folders: defineTableDeletedOnErasure(
      { in: 'folders' },
      { how: 'Every row of the account, deleted ones too, after its codes.', erase: eraseFolders },
    ),
    owner_phones: defineTableDeletedOnErasure(
      { in: 'ownPhones' },
      { erase: eraseOwnerPhones, size: { users: ['account_id'] } },
    ),
    test_links: defineTableDeletedOnErasure({ not: 'hashes of tokens' }, { how: 'With their codes.' }),
  },
  lists: {
    ownPhones: defineExportedList({
      item: OwnerPhone,
      description: 'Phones that are marked as your own.',
      async *read({ db, userId }: PersonalDataExportContext) {
        const { rows } = await listOwnerPhones(db, userId, { skip: 0, take: MAX_OWNER_PHONES });
        yield rows.map(toOwnerPhoneView);
      },
    }),
    qrCodes: defineExportedRows({
      item: ExportedQrCode,
      description: 'Newest first; deleted codes that can be restored are at the end.',
      sources: SOURCES,
      findByIds: findQrCodesByIds,
      recordReads: (context, rows) =>
        context.recordReads(
          'MEDICAL_DATA_READ',
          rows.filter(({ kind, data }) => kind === 'MEDICAL' && data !== null).map(({ id }) => id),
        ),
      toItem: toExportedQrCode,
    }),
    folders: defineExportedList({
      item: ExportedFolder,
      description: 'What your codes are sorted into; a code has the id of its folder.',
      async *read({ db, userId }: PersonalDataExportContext) {
        const rows = await listFolders(db, userId);
        yield rows.map(({ id, name, color, createdAt }) => ({
          id,
          name,
          color,
          createdAt: createdAt.toISOString(),
        }));
      },
    }),
    savedViews: defineExportedList({
      item: ExportedSavedView,
      description: 'Filters of the list of codes that are saved by a name.',
      async *read({ db, userId }: PersonalDataExportContext) {
        const rows = await listSavedViews(db, userId);
        yield rows.map((row) => ({
          id: row.id,
          name: row.name,
          query: toRecord(row.query),
          createdAt: row.createdAt.toISOString(),
        }));
      },
    }),
  },
  files: readImages,
});

function toExportedQrCode(context: PersonalDataViewContext, row: QrCodeRow): Static<typeof ExportedQrCode> {
  const { fieldCipher, publicBaseUrl, onIntegrityFailure } = context;
  return {
    id: row.id,
    kind: row.kind,
    mode: row.mode,
    title: row.title,
    status: getCurrentQrCodeStatus(row),
    data: readOrReportIntegrityFailure(() => decryptQrCodeData(fieldCipher, row), onIntegrityFailure),
    visibility: toRecord(row.visibility),
    design: toRecord(getQrCodeDesign(row)),
    pageDesign: toRecord(row.pageDesign),
    externalId: row.externalId,
    metadata: row.metadata as Metadata,
    folderId: getFolderId(row),
    lost: readOrReportIntegrityFailure(() => LOST_ITEM_REPORT.decrypt(fieldCipher, row), onIntegrityFailure),
    found: readOrReportIntegrityFailure(
      () => FOUND_ITEM_REPORT.decrypt(fieldCipher, row),
      onIntegrityFailure,
    ),
    hasPin: row.pinHash !== null,
    contactable: row.contactable,
    showsPage: row.showsPage,
    notifyOn: row.notifyOn,
    shortNumber: row.shortNumber && formatShortNumber(row.shortNumber.number),
    scanUrl: getQrCodeScanUrl(publicBaseUrl, row.id),
    image: row.imageFile && `qrcodes/${row.imageFile}`,
    counts: {
      total: Number(row.counts?.total ?? 0),
      humans: Number(row.counts?.humans ?? 0),
      unique: Number(row.counts?.uniques ?? 0),
    },
    lastScannedAt: row.counts?.lastScannedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    takenDownAt: row.takenDownAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

async function* readImages(context: PersonalDataExportContext): AsyncGenerator<ExportArchiveFile> {
  for (const source of SOURCES)
    for await (const ids of context.readIds(source))
      for (const image of await findQrCodeImageNames(context.db, context.userId, ids))
        yield { name: `qrcodes/${image}`, open: () => context.openQrCodeImage(image) };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
