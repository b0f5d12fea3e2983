import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import { QrCodeTakedown } from './moderation.schemas.ts';
import type { ModerationServices } from './moderation-services.ts';
import { deleteOldReports } from './report.repository.ts';
import { codeReportRoutes } from './reports.routes.ts';
import { deleteOldTakedowns } from './takedown.repository.ts';
import { takedownRoutes } from './takedowns.routes.ts';

const TAKEDOWN_RETENTION_DAYS = 180;
const REPORT_RETENTION_DAYS = { decided: 90, open: 180 };
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
      await app.register(codeReportRoutes, { prefix: '/api/qrcodes', ...services });
    },
    cleanUp: [
      () => deleteOldTakedowns(services.database.client, getDateDaysAgo(TAKEDOWN_RETENTION_DAYS), BATCH_SIZE),
      async () => {
        const before = {
          decided: getDateDaysAgo(REPORT_RETENTION_DAYS.decided),
          created: getDateDaysAgo(REPORT_RETENTION_DAYS.open),
        };
        while ((await deleteOldReports(services.database.client, before, BATCH_SIZE)) === BATCH_SIZE);
      },
    ],
  };
  return { feature };
}

export { dismissReports, reportQrCode } from './code-reports.use-case.ts';
export { decryptModerationText } from './encrypted-moderation-fields.ts';
export {
  APPEAL_DECISIONS,
  type AppealDecision,
  AppealRequest,
  createModerationTextSchema,
  MAX_MODERATION_TEXT_CHARACTERS,
  MAX_REPORT_NOTE_CHARACTERS,
  MODERATION_CATEGORIES,
  type ModerationCategory,
  ModerationCategorySchema,
  QrCodeTakedown,
} from './moderation.schemas.ts';
export type { ModerationServices } from './moderation-services.ts';
export { moderationPersonalData } from './personal-data.ts';
export {
  countOpenReportedCodes,
  hasModerationCase,
  hasOpenModerationCase,
  hasOpenReports,
  LAST_REPORTED_FIRST,
  listReportGroups,
  listReportsOfQrCode,
  type QrCodeReportGroup,
  type QrCodeReportRow,
} from './report.repository.ts';
export { submitAppeal } from './submit-appeal.use-case.ts';
export { decideAppeal, reinstateQrCode, takeDownQrCode } from './take-down-code.use-case.ts';
export {
  type AppealRow,
  countOpenAppeals,
  findAppeal,
  findLastOwnTakedown,
  findLastTakedown,
  listAppeals,
} from './takedown.repository.ts';
export {
  parseAppealDecision,
  parseModerationCategory,
  toAppealView,
  toTakedownView,
} from './takedown.view.ts';
