export { createDocumentExpiryJob, DOCUMENT_EXPIRY_QUEUE } from './document-expiry.job.ts';
export type { MalwareCheckServices } from './document-services.ts';
export { DOCUMENT_TYPE_EXTENSIONS } from './document-types.rules.ts';
export { DocumentItem, DocumentSchema, DocumentVersionSchema } from './documents.schemas.ts';
export { decryptFileName, decryptNote } from './encrypted-document-fields.ts';
export { deleteDocumentGrantsByEmail, listReceivedDocuments } from './grants/grant.repository.ts';
export { toReceivedDocumentView } from './grants/grant.view.ts';
export { decryptGrantEmail, hashGrantEmail } from './grants/grant-email.ts';
export type { DocumentGrantNotification } from './grants/grant-services.ts';
export { DocumentGrant, ReceivedDocument, ReceivedDocumentList } from './grants/grants.schemas.ts';
export { createMalwareRecheckJob, MALWARE_RECHECK_QUEUE } from './malware-recheck.job.ts';
export { accessShare } from './shares/access-share.ts';
export {
  findActiveSharesByQrCode,
  findSharedDocument,
  type SharedDocument,
} from './shares/share.repository.ts';
export { getViewsLeft } from './shares/share.rules.ts';
export {
  createShareLinkCookie,
  getShareLinkCookieSeconds,
  isShareLinkCookieValid,
  parseShareOrigin,
  type ShareOrigin,
} from './shares/share-link-cookie.ts';
export type { DocumentAccessNotification, DocumentShareServices } from './shares/share-services.ts';
export { findShareByPlainToken, getSharedDocumentState, requireActiveShare } from './shares/share-state.ts';
export { findShareToken } from './shares/share-token.ts';
export {
  CreatedShareResponse,
  DocumentAccess,
  DocumentAccessList,
  DocumentShare,
  ShareAccessResponse,
  SharedDocumentPreview,
} from './shares/shares.schemas.ts';
