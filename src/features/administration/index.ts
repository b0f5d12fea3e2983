export { AdminQrCode, AdminUser, AnalyticsResponse } from './administration.schemas.ts';
export { BreakGlassEntry, BreakGlassGrant } from './break-glass.schemas.ts';
export { createAdministrator, demoteAdministrator, promoteAdministrator } from './change-administrators.ts';
export { AdminReport, AdminReportDetails } from './conversation-reports.schemas.ts';
export { createDailyCountsJob, DAILY_COUNTS_QUEUE } from './daily-counts.job.ts';
export { ensureAdministrator } from './ensure-administrator.ts';
export { countJobsByQueue, deleteSupersededFailedJobs } from './jobs.repository.ts';
export {
  FailedJob,
  JobDismissalResponse,
  JobQueueList,
  JobQueueSchema,
  JobRetryResponse,
} from './jobs.schemas.ts';
export { AdminPackage, PackageVersion } from './packages.schemas.ts';
export { SupportQrCode, SupportUser } from './support.schemas.ts';
