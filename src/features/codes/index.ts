import type { DomainEventBus } from '../../platform/events.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import { createNotifyExpiringCodesJob, EXPIRING_CODES_QUEUE } from './notify-expiring-codes.job.ts';
import { createPurgeQrCodesJob, PURGE_QR_CODES_QUEUE } from './purge-qrcodes.job.ts';
import { qrCodeImageRoutes } from './qrcode-image.routes.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { qrCodeStatusRoutes } from './qrcode-status.routes.ts';
import { describeKindsInDocument } from './qrcodes.openapi.ts';
import { qrCodeRoutes } from './qrcodes.routes.ts';
import { KindDescription, QrCode, QrCodeItem, QrCodePreview, TestLink } from './qrcodes.schemas.ts';
import { deleteExpiredTestLinks } from './test-link.repository.ts';

export const codesManifest: FeatureManifest = {
  name: 'codes',
  queues: [PURGE_QR_CODES_QUEUE, EXPIRING_CODES_QUEUE],
  schemas: [QrCode, QrCodeItem, QrCodePreview, KindDescription, TestLink],
  refineOpenApiDocument: describeKindsInDocument,
};

export function createCodes(services: QrCodeServices & { events: DomainEventBus }) {
  const { database } = services;
  const feature: Feature = {
    async plugin(app) {
      await app.register(qrCodeRoutes, { prefix: '/api/qrcodes', ...services });
      await app.register(qrCodeStatusRoutes, { prefix: '/api/qrcodes', ...services });
      await app.register(qrCodeImageRoutes, { prefix: '/api/qrcodes', ...services });
    },
    jobs: [
      { queue: PURGE_QR_CODES_QUEUE, handler: createPurgeQrCodesJob(services), intervalSeconds: 3_600 },
      { queue: EXPIRING_CODES_QUEUE, handler: createNotifyExpiringCodesJob(services), intervalSeconds: 600 },
    ],
    cleanUp: [() => deleteExpiredTestLinks(database.client, getDateDaysAgo(7))],
  };
  return { feature };
}

export { decryptLostReport, decryptQrCodeData, type LostReport } from './encrypted-content.ts';
export type { ExpiringCode } from './expiring-codes.repository.ts';
export { getImagePath } from './image-files.ts';
export { parseQrCodeKind } from './kinds/all-kinds.ts';
export { describeKinds } from './kinds/describe-kinds.ts';
export { toDialableNumber } from './kinds/field-rules.ts';
export { emailField, languageTagField, phoneField, webUrlField } from './kinds/field-types.ts';
export { REACTION_SEVERITIES } from './kinds/health-fields.ts';
export type { KindDefinition } from './kinds/kind-definition.ts';
export { validateAgainstSchema } from './kinds/validate-data.ts';
export { createNotifyExpiringCodesJob, EXPIRING_CODES_QUEUE } from './notify-expiring-codes.job.ts';
export { getOwnerPreviewUrl, isOwnerPreview } from './owner-preview.ts';
export { codesPersonalData } from './personal-data.ts';
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
