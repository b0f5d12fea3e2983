import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { adminPackageRoutes } from './admin-packages.routes.ts';
import { adminUserRoutes } from './admin-users.routes.ts';
import { adminQrCodeAndAnalyticsRoutes } from './administration.routes.ts';
import { AdminQrCode, AdminUser, AnalyticsResponse } from './administration.schemas.ts';
import type { AdministrationServices } from './administration-services.ts';
import { breakGlassRoutes } from './break-glass.routes.ts';
import { BreakGlassEntry, BreakGlassGrant } from './break-glass.schemas.ts';
import { adminConversationReportRoutes } from './conversation-reports.routes.ts';
import { AdminReport, AdminReportDetails } from './conversation-reports.schemas.ts';
import { createDailyCountsJob, DAILY_COUNTS_QUEUE } from './daily-counts.job.ts';
import { adminJobRoutes } from './jobs.routes.ts';
import {
  FailedJob,
  JobDismissalResponse,
  JobQueueList,
  JobQueueSchema,
  JobRetryResponse,
} from './jobs.schemas.ts';
import { logFailedJobCounts } from './log-failed-jobs.ts';
import { SupportMailStatus } from './mail-status.schemas.ts';
import { AdminPackage, PACKAGE_SCHEMAS, PackageVersion } from './packages.schemas.ts';
import { adminAppealRoutes } from './qrcode-appeals.routes.ts';
import { adminCodeReportRoutes } from './qrcode-reports.routes.ts';
import { AdminCodeReport, AdminReportedCode, ReportDismissal } from './qrcode-reports.schemas.ts';
import { adminTakedownRoutes } from './qrcode-takedowns.routes.ts';
import { AdminAppeal, AdminAppealDetails } from './qrcode-takedowns.schemas.ts';
import { supportRoutes } from './support.routes.ts';
import { SupportQrCode, SupportUser } from './support.schemas.ts';

type AdministrationFeatureServices = AdministrationServices &
  Parameters<typeof adminTakedownRoutes>[1] &
  Parameters<typeof adminConversationReportRoutes>[1] &
  Parameters<typeof adminJobRoutes>[1] &
  Parameters<typeof adminPackageRoutes>[1] & {
    log: { error(details: object, message: string): void };
  };

export const administrationManifest: FeatureManifest = {
  name: 'administration',
  queues: [DAILY_COUNTS_QUEUE],
  repeatedSchemas: PACKAGE_SCHEMAS,
  schemas: [
    AdminPackage,
    PackageVersion,
    AdminUser,
    AdminQrCode,
    AnalyticsResponse,
    AdminReport,
    AdminReportDetails,
    AdminAppeal,
    AdminAppealDetails,
    AdminCodeReport,
    AdminReportedCode,
    ReportDismissal,
    JobQueueSchema,
    JobQueueList,
    FailedJob,
    JobRetryResponse,
    JobDismissalResponse,
    BreakGlassGrant,
    BreakGlassEntry,
    SupportUser,
    SupportQrCode,
    SupportMailStatus,
  ],
};

export function createAdministrationFeature(services: AdministrationFeatureServices) {
  const feature: Feature = {
    async plugin(app) {
      const adminOptions = { ...services, prefix: '/api/admin' };
      await app.register(adminQrCodeAndAnalyticsRoutes, adminOptions);
      await app.register(adminUserRoutes, adminOptions);
      await app.register(adminConversationReportRoutes, adminOptions);
      await app.register(adminTakedownRoutes, adminOptions);
      await app.register(adminAppealRoutes, adminOptions);
      await app.register(adminCodeReportRoutes, adminOptions);
      await app.register(adminJobRoutes, adminOptions);
      await app.register(adminPackageRoutes, adminOptions);
      await app.register(breakGlassRoutes, adminOptions);
      await app.register(supportRoutes, { ...services, prefix: '/api/support' });
    },
    jobs: [
      { queue: DAILY_COUNTS_QUEUE, handler: createDailyCountsJob(services), intervalSeconds: HOUR_SECONDS },
    ],
    cleanUp: [() => logFailedJobCounts(services)],
  };
  return { feature };
}

export { toAdminUserView } from './administration.views.ts';
export type { AdministrationServices } from './administration-services.ts';
export { listUsers } from './all-users.repository.ts';
export { BREAK_GLASS_RESOURCE_TYPES, BreakGlassRequest } from './break-glass.schemas.ts';
export {
  endBreakGlassAccess,
  findReasonErrors,
  grantBreakGlassAccess,
  listBreakGlassGrantsWithReasons,
  NEWEST_GRANT_FIRST,
} from './break-glass.use-case.ts';
export {
  createAdministrator,
  demoteAdministrator,
  promoteUserToAdministrator,
} from './change-administrators.use-case.ts';
export { changeFailedJob } from './change-failed-job.use-case.ts';
export {
  CONVERSATION_REPORT_DECISIONS,
  type ConversationReportDecision,
  ConversationReportDecisionRequest,
  MAX_REPORT_MESSAGES,
} from './conversation-reports.schemas.ts';
export { decideConversationReport } from './decide-report.use-case.ts';
export { ensureAdministrator } from './ensure-administrator.ts';
export {
  countJobsByQueue,
  type FailedJobRow,
  type JobQueueRow,
  LAST_FAILED_FIRST,
  listFailedJobs,
} from './jobs.repository.ts';
export { JobIdParams } from './jobs.schemas.ts';
export type { MailProblem } from './mail-status.rules.ts';
export type { SupportMailStatus } from './mail-status.schemas.ts';
export { PackageUpdateRequest } from './packages.schemas.ts';
export { administrationPersonalData } from './personal-data.ts';
export { AppealDecisionRequest, ReinstatementRequest, TakedownRequest } from './qrcode-takedowns.schemas.ts';
export { readMailStatus } from './read-mail-status.use-case.ts';
export { recordUserAccess } from './record-user-access.ts';
export { removeSecondFactorByEmail, removeUserSecondFactor } from './remove-second-factor.use-case.ts';
export { resendEmailVerificationOtp } from './resend-activation.use-case.ts';
export { FIRST_MATCHES, parseSupportSearch } from './search-text.rules.ts';
export { toSupportUserView } from './support.views.ts';
export { updatePackage } from './update-package.use-case.ts';
export { endUserSessions, updateUserAsAdministrator } from './update-user.use-case.ts';
