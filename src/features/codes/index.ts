export { decryptLostReport, decryptQrCodeData, type LostReport } from './encrypted-content.ts';
export type { ExpiringCode } from './expiring-codes.repository.ts';
export { getImagePath } from './image-files.ts';
export { parseQrCodeKind } from './kinds/all-kinds.ts';
export { describeKinds } from './kinds/describe-kinds.ts';
export { toDialableNumber } from './kinds/field-rules.ts';
export { emailField, languageTagField, phoneField, webUrlField } from './kinds/field-types.ts';
export { REACTION_SEVERITIES } from './kinds/health-fields.ts';
export type { KindDefinition } from './kinds/kind-definition.ts';
export { validateShape } from './kinds/validate-data.ts';
export { createNotifyExpiringCodesJob, EXPIRING_CODES_QUEUE } from './notify-expiring-codes.job.ts';
export { getOwnerPreviewUrl, isOwnerPreview } from './owner-preview.ts';
export { createPurgeQrCodesJob, PURGE_QR_CODES_QUEUE } from './purge-qrcodes.job.ts';
export { findOwnQrCode, findQrCode, type QrCodeRow } from './qrcode.repository.ts';
export { getCurrentStatus, getQrCodeDesign, getQrCodeKind, getScanUrl } from './qrcode.view.ts';
export { createSearchConditions } from './qrcode-list.repository.ts';
export {
  KIND_NAMES,
  KindDescription,
  QR_CODE_STATUSES,
  QrCode,
  QrCodeItem,
  QrCodePreview,
  TestLink,
} from './qrcodes.schemas.ts';
export { redrawImage, redrawImages } from './redraw-images.ts';
export { consumeTestLink, deleteExpiredTestLinks, hashTestToken } from './test-link.repository.ts';
export { filterVisibleFields, parseVisibility, resolveVisibility } from './visibility.rules.ts';
