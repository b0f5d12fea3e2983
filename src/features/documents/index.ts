import type { EventObjectReaders } from '../../platform/event-objects.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { documentContentRoutes } from './document-content.routes.ts';
import { createNotifyExpiringDocumentsJob, NOTIFY_EXPIRING_DOCUMENTS_QUEUE } from './document-expiry.job.ts';
import type { DocumentServices } from './document-services.ts';
import { documentVersionRoutes } from './document-versions.routes.ts';
import { documentRoutes } from './documents.routes.ts';
import { DocumentItem, DocumentSchema, DocumentVersionSchema } from './documents.schemas.ts';
import { documentGrantRoutes } from './grants/document-grants.routes.ts';
import type { DocumentGrantServices } from './grants/grant-services.ts';
import { DocumentGrant, ReceivedDocument, ReceivedDocumentList } from './grants/grants.schemas.ts';
import { receivedDocumentRoutes } from './grants/received-documents.routes.ts';
import { createPendingMalwareChecksJob, PENDING_MALWARE_CHECKS_QUEUE } from './malware-recheck.job.ts';
import { purgeDeletedDocuments } from './purge-documents.use-case.ts';
import { createDocumentEventReader } from './read-event-document.ts';
import { documentShareRoutes } from './shares/document-shares.routes.ts';
import type { DocumentShareServices } from './shares/share-services.ts';
import { sharedDocumentRoutes } from './shares/shared-documents.routes.ts';
import {
  CreatedShareResponse,
  DocumentAccess,
  DocumentAccessList,
  DocumentShare,
  ShareAccessResponse,
  SharedDocumentPreview,
} from './shares/shares.schemas.ts';

export const documentsManifest: FeatureManifest = {
  name: 'documents',
  queues: [NOTIFY_EXPIRING_DOCUMENTS_QUEUE, PENDING_MALWARE_CHECKS_QUEUE],
  schemas: [
    DocumentShare,
    CreatedShareResponse,
    SharedDocumentPreview,
    ShareAccessResponse,
    DocumentAccess,
    DocumentAccessList,
    DocumentGrant,
    ReceivedDocument,
    ReceivedDocumentList,
    DocumentSchema,
    DocumentItem,
    DocumentVersionSchema,
  ],
};

export function createDocumentsFeature(
  services: DocumentServices &
    DocumentShareServices &
    DocumentGrantServices & { events: DomainEventBus; eventObjects: EventObjectReaders },
) {
  const { malwareCheck } = services;
  services.eventObjects.register('document', createDocumentEventReader(services));
  const feature: Feature = {
    async plugin(app) {
      const options = { prefix: '/api/documents', ...services };
      await app.register(sharedDocumentRoutes, options);
      await app.register(documentShareRoutes, options);
      await app.register(receivedDocumentRoutes, options);
      await app.register(documentGrantRoutes, options);
      await app.register(documentRoutes, options);
      await app.register(documentVersionRoutes, options);
      await app.register(documentContentRoutes, options);
    },
    cleanUp: [() => purgeDeletedDocuments(services)],
    jobs: [
      {
        queue: NOTIFY_EXPIRING_DOCUMENTS_QUEUE,
        handler: createNotifyExpiringDocumentsJob(services),
        intervalSeconds: HOUR_SECONDS,
      },
      ...(malwareCheck
        ? [
            {
              queue: PENDING_MALWARE_CHECKS_QUEUE,
              handler: createPendingMalwareChecksJob({ ...services, scanner: malwareCheck.scanner }),
              intervalSeconds: 60,
            },
          ]
        : []),
    ],
  };
  return { feature };
}

export {
  deleteOwnDocument,
  deleteOwnDocumentVersion,
  purgeOwnDocument,
} from './delete-document.use-case.ts';
export { toDocumentVersionView } from './document.view.ts';
export { computeMaxDocumentFileBytes } from './document-limits.rules.ts';
export {
  DOCUMENT_LIST_SORTS,
  DOCUMENT_SORTS,
  type DocumentListRow,
  type DocumentSort,
  LAST_EXPIRING_FIRST,
} from './document-list.repository.ts';
export type { DocumentServices } from './document-services.ts';
export { FILE_EXTENSIONS_BY_CONTENT_TYPE, isInlineContentType } from './document-types.rules.ts';
export {
  createDocumentUploadHandler,
  discardDocumentUpload,
  requireDocumentUpload,
} from './document-upload.ts';
export { DOCUMENT_KINDS, DocumentUpdateRequest, NewDocumentRequest } from './documents.schemas.ts';
export { declineDocumentGrant, revokeDocumentGrant } from './grants/end-grant.use-case.ts';
export {
  type DocumentGrantRow,
  listDocumentGrants,
  listReceivedDocuments,
  type ReceivedDocumentRow,
} from './grants/grant.repository.ts';
export { toDocumentGrantView, toReceivedDocumentView } from './grants/grant.view.ts';
export { grantDocument } from './grants/grant-document.ts';
export type { DocumentGrantServices } from './grants/grant-services.ts';
export { NewDocumentGrantRequest } from './grants/grants.schemas.ts';
export { hashRecipient, sendReceivedDocument } from './grants/send-received-document.ts';
export { documentsPersonalData } from './personal-data.ts';
export {
  listDocumentsWithAudit,
  listOwnDocumentVersions,
  readOwnDocument,
  requireOwnDocument,
} from './read-document.ts';
export { getDocumentRestoreCutoff, restoreOwnDocument } from './restore-document.use-case.ts';
export { restoreDocumentVersion } from './restore-version.use-case.ts';
export { addDocumentVersion, createDocument } from './save-document-version.use-case.ts';
export { sendOwnDocument } from './send-own-document.ts';
export { accessDocumentShare } from './shares/access-share.ts';
export { createDocumentShareLink } from './shares/create-share-link.ts';
export { LAST_READ_FIRST, listDocumentAccesses } from './shares/document-access.repository.ts';
export { endOwnDocumentShare } from './shares/end-share.use-case.ts';
export {
  findActiveDocumentSharesByQrCode,
  findSharedDocument,
  listDocumentShares,
  type SharedDocument,
} from './shares/share.repository.ts';
export { getShareViewsLeft, MAX_OFFERED_DOCUMENTS_PER_CODE, SHARE_STATES } from './shares/share.rules.ts';
export { toDocumentAccessView, toDocumentShareView } from './shares/share.view.ts';
export {
  createShareLinkCookie,
  getShareLinkCookieMaxAgeSeconds,
  isShareLinkCookieValid,
  parseShareLinkCookieOrigin,
  type ShareOrigin,
} from './shares/share-link-cookie.ts';
export type { DocumentShareServices } from './shares/share-services.ts';
export {
  findSharedDocumentByToken,
  getCurrentShareState,
  isStrictlyShared,
  requireActiveDocumentShare,
} from './shares/share-state.ts';
export { extractShareToken } from './shares/share-token.ts';
export { DocumentShareRequest } from './shares/shares.schemas.ts';
export { updateDocumentMetadata } from './update-document.use-case.ts';
