import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import { QrCodeTakedown } from './moderation.schemas.ts';
import type { ModerationServices } from './moderation-services.ts';
import { deleteOldTakedowns } from './takedown.repository.ts';
import { takedownRoutes } from './takedowns.routes.ts';

const RETENTION_DAYS = 180;
const BATCH_SIZE = 1_000;

export const moderationManifest: FeatureManifest = {
  name: 'moderation',
  queues: [],
  schemas: [QrCodeTakedown],
};

export function createModerationFeature(services: ModerationServices) {
  const feature: Feature = {
    async plugin(app) {
      await app.register(takedownRoutes, { prefix: '/api/qrcodes', ...services });
    },
    cleanUp: [() => deleteOldTakedowns(services.database.client, getDateDaysAgo(RETENTION_DAYS), BATCH_SIZE)],
  };
  return { feature };
}

export {
  APPEAL_DECISIONS,
  createModerationTextSchema,
  ModerationCategorySchema,
  QrCodeTakedown,
} from './moderation.schemas.ts';
export type { ModerationServices } from './moderation-services.ts';
export { moderationPersonalData } from './personal-data.ts';
export { decideAppeal, reinstateQrCode, takeDownQrCode } from './take-down-code.ts';
export { type AppealRow, findAppeal, findLastTakedown, listAppeals } from './takedown.repository.ts';
export {
  parseAppealDecision,
  parseModerationCategory,
  toAppealView,
  toTakedownView,
} from './takedown.view.ts';
