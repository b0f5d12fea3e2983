import type { EventObjectReaders } from '../../platform/event-objects.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import { QrCodeDesignAdjustmentSchema, QrCodeDesignSchema } from '../../platform/qr-image/design.schemas.ts';
import { EDITING_ROLES } from '../../shared/account-roles.ts';
import { stringEnum } from '../../shared/common.schemas.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { MetadataChange, MetadataSchema } from '../../shared/metadata.schemas.ts';
import { galleryRoutes } from '../files/index.ts';
import { ASSIGN_SHORT_NUMBERS_QUEUE, createAssignShortNumbersJob } from './assign-short-numbers.job.ts';
import { CREATE_TAGS_QUEUE, DELETE_BATCH_QUEUE } from './batches/batch-queues.ts';
import { batchRoutes } from './batches/batches.routes.ts';
import { BatchSchema, BatchTagSchema } from './batches/batches.schemas.ts';
import { clearClaimCodes } from './batches/claim.repository.ts';
import { cleanUpBatches } from './batches/clean-up-batches.use-case.ts';
import { createTagsJob } from './batches/create-tags.job.ts';
import { createDeleteBatchJob } from './batches/delete-batch.job.ts';
import { qrCodeBulkRoutes } from './bulk/bulk.routes.ts';
import { BulkQrCodeItem, BulkQrCodeResult } from './bulk/bulk.schemas.ts';
import { createDrawQrCodeImagesJob, DRAW_QR_CODE_IMAGES_QUEUE } from './draw-images.job.ts';
import { cleanUpFolders } from './folders/change-folders.use-case.ts';
import { folderRoutes } from './folders/folders.routes.ts';
import { FolderSchema } from './folders/folders.schemas.ts';
import { createQrCodeGallery, QrCodePicture } from './gallery.ts';
import { cleanUpImports } from './imports/clean-up-imports.use-case.ts';
import { createImportCodesJob, IMPORT_CODES_QUEUE } from './imports/import-codes.job.ts';
import { importRoutes } from './imports/imports.routes.ts';
import { ImportCheckSchema, ImportSchema } from './imports/imports.schemas.ts';
import { QrCodeListItem } from './included-content.ts';
import {
  createContactFieldSchema,
  createInsuranceFieldSchema,
  createPostalAddressFieldSchema,
} from './kinds/field-types.ts';
import {
  createAllergiesFieldSchema,
  createConditionsFieldSchema,
  createMedicalCodingFieldSchema,
  createMedicationsFieldSchema,
  createVaccinationsFieldSchema,
} from './kinds/health-fields.ts';
import {
  createNotifyExpiringQrCodesJob,
  NOTIFY_EXPIRING_QR_CODES_QUEUE,
} from './notify-expiring-codes.job.ts';
import { deleteEndedOwnerPhones } from './owner-phones/owner-phone.repository.ts';
import { ownerPhoneRoutes } from './owner-phones/owner-phones.routes.ts';
import { OwnerPhone } from './owner-phones/owner-phones.schemas.ts';
import { PageDesign } from './page-design.rules.ts';
import { cleanUpPrintSheets } from './print-sheets/clean-up-print-sheets.use-case.ts';
import { createMakePrintSheetJob } from './print-sheets/make-print-sheet.job.ts';
import { PRINT_SHEET_QUEUE } from './print-sheets/print-sheet-queue.ts';
import { printSheetRoutes } from './print-sheets/print-sheets.routes.ts';
import {
  LabelTemplateSchema,
  PrintSheetDetails,
  PrintSheetSchema,
} from './print-sheets/print-sheets.schemas.ts';
import { createPurgeQrCodesJob, PURGE_QR_CODES_QUEUE } from './purge-qrcodes.job.ts';
import { qrCodeExportRoutes } from './qrcode-export.routes.ts';
import { QrCodeFacets, qrCodeFacetRoutes } from './qrcode-facets.routes.ts';
import { qrCodeImageRoutes } from './qrcode-image.routes.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { qrCodeStatusRoutes } from './qrcode-status.routes.ts';
import { addQrCodeKindsToOpenApi } from './qrcodes.openapi.ts';
import { qrCodeRoutes } from './qrcodes.routes.ts';
import {
  KindDescription,
  QR_CODE_KIND_NAMES,
  QR_CODE_STATUSES,
  QrCode,
  QrCodeItem,
  QrCodePreview,
  TestLink,
} from './qrcodes.schemas.ts';
import { qrCodeByExternalIdRoutes } from './qrcodes-by-external-id.routes.ts';
import { createQrCodeEventReader } from './read-event-qrcode.ts';
import { cleanUpSavedViews } from './saved-views/change-saved-views.use-case.ts';
import { SavedViewQuery } from './saved-views/saved-view-query.ts';
import { savedViewRoutes } from './saved-views/saved-views.routes.ts';
import { SavedViewSchema } from './saved-views/saved-views.schemas.ts';
import { deleteExpiredTestLinks, deleteTestLinksOfMember } from './test-link.repository.ts';
import { FIELD_VISIBILITIES } from './visibility.rules.ts';

export const codesManifest: FeatureManifest = {
  name: 'codes',
  queues: [
    PURGE_QR_CODES_QUEUE,
    NOTIFY_EXPIRING_QR_CODES_QUEUE,
    DRAW_QR_CODE_IMAGES_QUEUE,
    IMPORT_CODES_QUEUE,
    ASSIGN_SHORT_NUMBERS_QUEUE,
    PRINT_SHEET_QUEUE,
    CREATE_TAGS_QUEUE,
    DELETE_BATCH_QUEUE,
  ],
  schemas: [
    PageDesign,
    QrCode,
    QrCodeItem,
    QrCodeListItem,
    QrCodeFacets,
    QrCodePicture,
    QrCodePreview,
    KindDescription,
    TestLink,
    BulkQrCodeItem,
    BulkQrCodeResult,
    ImportSchema,
    ImportCheckSchema,
    LabelTemplateSchema,
    OwnerPhone,
    PrintSheetSchema,
    PrintSheetDetails,
    SavedViewSchema,
    FolderSchema,
    BatchSchema,
    BatchTagSchema,
  ],
  repeatedSchemas: {
    QrCodeDesign: QrCodeDesignSchema,
    QrCodeDesignAdjustment: QrCodeDesignAdjustmentSchema,
    Contact: createContactFieldSchema('', ''),
    PostalAddress: createPostalAddressFieldSchema('', ''),
    MedicalCoding: createMedicalCodingFieldSchema(),
    Allergies: createAllergiesFieldSchema(),
    Medications: createMedicationsFieldSchema(),
    Conditions: createConditionsFieldSchema(),
    Vaccinations: createVaccinationsFieldSchema(),
    Insurance: createInsuranceFieldSchema(''),
    FieldVisibility: stringEnum(FIELD_VISIBILITIES),
    SavedViewQuery,
    Metadata: MetadataSchema,
    MetadataChange,
    QrCodeKind: stringEnum(QR_CODE_KIND_NAMES),
    QrCodeStatus: stringEnum(QR_CODE_STATUSES),
  },
  refineOpenApiDocument: addQrCodeKindsToOpenApi,
};

export function createCodesFeature({
  eventObjects,
  ...services
}: QrCodeServices & { eventObjects: EventObjectReaders }) {
  const { database, events } = services;
  events.subscribe('membership.changed', async (tx, changes) => {
    for (const { role, isLimited, ...member } of changes)
      if (role === null || isLimited || !EDITING_ROLES.includes(role))
        await deleteTestLinksOfMember(tx, member);
  });
  eventObjects.register('code', createQrCodeEventReader(services));
  const feature: Feature = {
    async plugin(app) {
      await app.register(qrCodeRoutes, { prefix: '/api/qrcodes', ...services });
      await app.register(qrCodeFacetRoutes, { prefix: '/api/qrcodes', ...services });
      await app.register(qrCodeExportRoutes, { prefix: '/api/qrcodes', ...services });
      await app.register(qrCodeBulkRoutes, { prefix: '/api/qrcodes', ...services });
      await app.register(importRoutes, { prefix: '/api/imports', ...services });
      await app.register(printSheetRoutes, { prefix: '/api/print-sheets', ...services });
      await app.register(batchRoutes, { prefix: '/api/batches', ...services });
      await app.register(savedViewRoutes, { prefix: '/api/saved-views', ...services });
      await app.register(folderRoutes, { prefix: '/api/folders', ...services });
      await app.register(ownerPhoneRoutes, { prefix: '/api/own-phones', ...services });
      await app.register(qrCodeByExternalIdRoutes, { prefix: '/api/qrcodes/by-external-id', ...services });
      await app.register(qrCodeStatusRoutes, { prefix: '/api/qrcodes', ...services });
      await app.register(qrCodeImageRoutes, { prefix: '/api/qrcodes', ...services });
      const gallery = createQrCodeGallery(services);
      await app.register(galleryRoutes, { prefix: '/api/qrcodes', ...services, gallery });
    },
    jobs: [
      { queue: IMPORT_CODES_QUEUE, handler: createImportCodesJob(services) },
      { queue: PRINT_SHEET_QUEUE, handler: createMakePrintSheetJob(services) },
      { queue: CREATE_TAGS_QUEUE, handler: createTagsJob(services) },
      { queue: DELETE_BATCH_QUEUE, handler: createDeleteBatchJob(services) },
      { queue: DRAW_QR_CODE_IMAGES_QUEUE, handler: createDrawQrCodeImagesJob(services) },
      {
        queue: ASSIGN_SHORT_NUMBERS_QUEUE,
        handler: createAssignShortNumbersJob(services),
        intervalSeconds: 300,
      },
      {
        queue: PURGE_QR_CODES_QUEUE,
        handler: createPurgeQrCodesJob(services),
        intervalSeconds: HOUR_SECONDS,
      },
      {
        queue: NOTIFY_EXPIRING_QR_CODES_QUEUE,
        handler: createNotifyExpiringQrCodesJob(services),
        intervalSeconds: 600,
      },
    ],
    cleanUp: [
      () => deleteExpiredTestLinks(database.client, getDateDaysAgo(7)),
      () => deleteEndedOwnerPhones(database.forEveryAccount('WORKER').client),
      () => cleanUpImports(services),
      () => cleanUpPrintSheets(services),
      () => cleanUpBatches(services),
      () => clearClaimCodes(database.client, new Date(Date.now() - LIFETIMES_SECONDS.claimUndo * 1000)),
      () => cleanUpSavedViews(services),
      () => cleanUpFolders(services),
    ],
  };
  return { feature };
}

export { lockQrCodeAccount, type QrCodeMove } from './account-moves/move.repository.ts';
export { type MoveServices, moveQrCode } from './account-moves/move-qrcode.ts';
export { type HistoryChoice, MOVED_TABLES } from './account-moves/moved-tables.ts';
export {
  type BatchKey,
  type BatchRecord,
  findBatchOfCode,
  listBatches,
} from './batches/batch.repository.ts';
export { getTagStatus } from './batches/batch.view.ts';
export { CREATE_TAGS_QUEUE, DELETE_BATCH_QUEUE } from './batches/batch-queues.ts';
export { type BatchTagRow, listBatchTags } from './batches/batch-tag.repository.ts';
export {
  BATCH_KINDS,
  type BatchTagView,
  CLAIM_MODES,
  MAX_BATCH_PREFIX_CHARACTERS,
  MAX_BATCH_TAGS,
} from './batches/batches.schemas.ts';
export { cancelBatch, changeBatchTags, deleteBatch, getOwnBatch } from './batches/change-batch.use-case.ts';
export { type ClaimableTag, findTagOfCode, markTagScanned } from './batches/claim.repository.ts';
export { CLAIM_CODE, MAX_CLAIM_CODE_CHARACTERS, matchesClaimCode } from './batches/claim-code.ts';
export { canUndoClaim, claimTag, getUndoableTag, undoClaim } from './batches/claim-tag.ts';
export { MAX_ARCHIVE_IMAGES, sendBatchExport, sendBatchImages } from './batches/export-batch.ts';
export { requestBatch } from './batches/request-batch.use-case.ts';
export { MAX_BULK_ITEMS } from './bulk/bulk.schemas.ts';
export { deleteQrCodes } from './bulk/delete-qrcodes.use-case.ts';
export { listMatchingQrCodeIds } from './bulk/list-matching-ids.ts';
export { listSelectedDesigns } from './bulk/list-selected-designs.ts';
export { checkBulkChange } from './bulk/parse-bulk-item.ts';
export { patchQrCodes } from './bulk/patch-qrcodes.ts';
export {
  canResumeLostReport,
  changeOwnQrCodeStatus,
  endLostReport,
  pauseActiveQrCode,
  resumeLostReport,
  resumePausedQrCode,
  startLostReport,
} from './change-status.use-case.ts';
export { createQrCode } from './create-qrcode.use-case.ts';
export { deleteOwnQrCode } from './delete-qrcode.use-case.ts';
export { findDemoQrCodes } from './demo-codes.repository.ts';
export { listDocumentQrCodes } from './document-qrcodes.repository.ts';
export { drawMissingQrCodeImage, openQrCodeImage } from './draw-missing-image.ts';
export { decryptQrCodeData, LOST_ITEM_REPORT, type LostItemReport } from './encrypted-content.ts';
export { hasOutdatedQrCodeImages } from './find-outdated-images.ts';
export {
  changeFolder,
  createFolder,
  deleteFolder,
  readFolder,
  readFolders,
  restoreFolder,
} from './folders/change-folders.use-case.ts';
export { parseFolderColor } from './folders/folder.view.ts';
export { getFolderId } from './folders/folder-of-code.ts';
export {
  FOLDER_COLORS,
  type FolderColor,
  FolderFilter,
  type FolderSchema,
  MAX_FOLDER_NAME_CHARACTERS,
  NewFolder,
  NO_FOLDER,
} from './folders/folders.schemas.ts';
export { createQrCodeGallery, QR_CODE_GALLERY_PATH } from './gallery.ts';
export { assertQrCodeImageAvailable, removeQrCodeImage } from './image-files.ts';
export { cancelImport } from './imports/cancel-import.use-case.ts';
export { type ColumnMapping, isKnownColumn, toColumnName, unescapeFormula } from './imports/csv-columns.ts';
export { dryRunImport } from './imports/dry-run-import.ts';
export {
  findImport,
  type ImportKey,
  type ImportRecord,
  listImportDrafts,
  listImports,
} from './imports/import.repository.ts';
export {
  type CsvTable,
  createCorrectedDraft,
  createImportDraft,
  discardImportDraft,
  getImportDraft,
  MAX_CORRECTED_ROWS,
  mapDraftColumns,
  readDraftTable,
  readRejectedTable,
} from './imports/import-drafts.use-case.ts';
export {
  createImportUploadHandler,
  discardImportUpload,
  findImportUpload,
  readUploadHeader,
} from './imports/import-upload.ts';
export type { ImportCheck, ImportRowError } from './imports/imports.schemas.ts';
export { parseColumnMapping } from './imports/map-columns.ts';
export { openImportFile } from './imports/open-import-file.ts';
export { readImportErrors } from './imports/rejected-rows.ts';
export { startImportDraft } from './imports/request-import.use-case.ts';
export { QR_CODE_KINDS } from './kinds/all-kinds.ts';
export { describeQrCodeKinds } from './kinds/describe-kinds.ts';
export {
  createCountryFieldSchema,
  createEmailFieldSchema,
  createLanguageTagFieldSchema,
  createPhoneFieldSchema,
  createWebUrlFieldSchema,
} from './kinds/field-types.ts';
export { ALLERGIC_REACTION_SEVERITIES } from './kinds/health-fields.ts';
export type { ContentRevision, QrCodeKindDefinition } from './kinds/kind-definition.ts';
export { findQrCodeDataErrors } from './kinds/validate-data.ts';
export { parseQrCodeListFilter } from './list-filters.ts';
export { listOwnQrCodes } from './list-own-qrcodes.ts';
export { LOST_PRESETS, type LostPreset, translateLostMessage } from './lost-message.ts';
export { listOwnerPhones, type OwnerPhoneRow } from './owner-phones/owner-phone.repository.ts';
export { isOwnerPhone, removeOwnerPhone } from './owner-phones/owner-phones.use-case.ts';
export { getOwnerPreviewUrl, hasValidOwnerPreviewSignature } from './owner-preview-url.ts';
export {
  findPageDesignErrors,
  PAGE_DESIGN_FEATURE,
  PAGE_SECTIONS,
  type PageDesign,
  type PageSection,
  toPageDesign,
} from './page-design.rules.ts';
export { codesPersonalData } from './personal-data.ts';
export { deleteOwnPrintSheet } from './print-sheets/delete-print-sheet.use-case.ts';
export { drawCalibrationSheet } from './print-sheets/draw-calibration-sheet.ts';
export type { StoredLabelFailure as LabelFailure } from './print-sheets/label-failure.rules.ts';
export { countLabelPages, getLabelPosition } from './print-sheets/label-sheet.rules.ts';
export { LABEL_TEMPLATES, type LabelGrid, type LabelTemplate } from './print-sheets/label-templates.ts';
export { listPrintSheets, type PrintSheetRecord } from './print-sheets/print-sheet.repository.ts';
export { findLabelTemplate, getLabelFailure, getLeftOut } from './print-sheets/print-sheet.view.ts';
export { findPrintSheetErrors, placeScanUrl } from './print-sheets/print-sheet-options.ts';
export { PRINT_SHEET_QUEUE } from './print-sheets/print-sheet-queue.ts';
export {
  MAX_PRINT_SHEET_CODES,
  NewPrintSheet,
  type NewPrintSheetBody,
} from './print-sheets/print-sheets.schemas.ts';

export { findPrintSheetCodes, requestPrintSheet } from './print-sheets/request-print-sheet.use-case.ts';
export { getOwnPrintSheet, sendPrintSheet } from './print-sheets/send-print-sheet.ts';
export {
  findOwnQrCode,
  findPublicQrCode,
  findPublicQrCodeStatus,
  findQrCodeForModeration,
  findQrCodeTitles,
  isQrCodeTakenDown,
  type LockedQrCode,
  lockQrCodeForModeration,
  lockQrCodesForUpdate,
  type PictureSummary,
  PUBLIC_QR_CODE_STATUS_SQL,
  QR_CODE_PICTURES_QUERY,
  QR_CODE_PICTURES_SQL,
  type QrCodeRow,
  type QrCodeWithPictures,
  type QrCodeWithScanCounts,
  updateQrCodeTakenDownAt,
  WITHHELD_STATUS,
} from './qrcode.repository.ts';
export {
  getCurrentQrCodeStatus,
  getQrCodeKindByName,
  getQrCodeScanUrl,
  isLocalBaseUrl,
  toQrCodeView,
} from './qrcode.view.ts';
export {
  countQrCodesByFolder,
  countQrCodesByKindAndStatus,
  countQrCodesByMetadata,
  type FacetValue,
  type MetadataFacet,
} from './qrcode-facets.repository.ts';
export { findQrCodeKindFilterErrors, parseQrCodeKindFilter } from './qrcode-input.rules.ts';
export {
  createQrCodeSearchConditions,
  QR_CODE_LIST_SORTS,
  QR_CODE_SORTS,
  type QrCodeListFilter,
  type QrCodeListRow,
} from './qrcode-list.repository.ts';
export type { QrCodeServices } from './qrcode-services.ts';
export {
  LostItemDetails,
  NewQrCode,
  QR_CODE_KIND_NAMES,
  QR_CODE_NOTIFY_ON_VALUES,
  QR_CODE_STATUSES,
  type QrCode,
  QrCodeChange,
  QrCodeKindFilter,
} from './qrcodes.schemas.ts';
export { listQuietQrCodes, type QuietCode } from './quiet-codes.repository.ts';
export { getOwnQrCode, lockOwnQrCode, readOwnQrCode, readQrCodeByBreakGlass } from './read-own-qrcode.ts';
export { findNewQrCodeErrors, parseNewQrCode } from './read-qrcode-body.ts';
export { readOwnQrCodeImage, sendQrCodeImage } from './read-qrcode-image.use-case.ts';
export { redrawQrCodeImages } from './redraw-images.use-case.ts';
export { restoreOwnQrCode } from './restore-qrcode.use-case.ts';
export {
  changeSavedView,
  createSavedView,
  deleteSavedView,
  listOwnSavedViews,
  moveSavedView,
  restoreSavedView,
} from './saved-views/change-saved-views.use-case.ts';
export { SAVED_VIEW_STATUSES } from './saved-views/saved-view-query.ts';
export { MAX_SAVED_VIEW_NAME_CHARACTERS, NewSavedView } from './saved-views/saved-views.schemas.ts';
export { findScannedQrCodeId } from './scan-url.rules.ts';
export { sendQrCodeExport } from './send-qrcode-export.ts';
export { findQrCodeIdByShortNumber } from './short-number.repository.ts';
export { formatShortNumber, MAX_SHORT_NUMBER_CHARACTERS, parseShortNumber } from './short-number.rules.ts';
export { findTestLinkCodeId } from './test-link.repository.ts';
export { createTestLink, openTestLink } from './test-link.use-case.ts';
export { findQrCodeChangeErrors, updateOwnQrCode } from './update-own-qrcode.use-case.ts';
export {
  applyVisibilityPreset,
  FIELD_VISIBILITIES,
  type FieldVisibility,
  filterVisibleFields,
  parseFieldVisibilities,
  resolveFieldVisibilities,
} from './visibility.rules.ts';
export {
  createPictureTicket,
  isValidPictureTicket,
  listVisiblePictures,
  type VisiblePicture,
} from './visible-pictures.ts';
