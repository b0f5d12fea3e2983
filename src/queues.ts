import type { Config } from './config.ts';
import { createDailyCountsJob, DAILY_COUNTS_QUEUE } from './features/administration/index.ts';
import { AUDIT_RETENTION_QUEUE, createAuditRetentionJob } from './features/audit/index.ts';
import {
  createReconcileJob,
  createSyncPaymentJob,
  type PaymentServices,
  RECONCILE_QUEUE,
  SYNC_QUEUE,
} from './features/billing/index.ts';
import {
  createNotifyExpiringCodesJob,
  createPurgeQrCodesJob,
  EXPIRING_CODES_QUEUE,
  PURGE_QR_CODES_QUEUE,
} from './features/codes/index.ts';
import {
  createDocumentExpiryJob,
  createMalwareRecheckJob,
  DOCUMENT_EXPIRY_QUEUE,
  MALWARE_RECHECK_QUEUE,
  type MalwareCheckServices,
} from './features/documents/index.ts';
import { createRemoveFilesJob, REMOVE_FILES_QUEUE } from './features/files/index.ts';
import { CLEAN_UP_QUEUE, createCleanUpJob } from './features/housekeeping/index.ts';
import { createSendMailJob, MAIL_QUEUE } from './features/mail/index.ts';
import { ANNIVERSARIES_QUEUE, createNotifyAnniversariesJob } from './features/memory-tags/index.ts';
import { createSendPushJob, PUSH_QUEUE } from './features/notifications/index.ts';
import {
  createFinishErasureJob,
  createMakeExportJob,
  ERASURE_QUEUE,
  EXPORT_QUEUE,
} from './features/personal-data/index.ts';
import {
  createGeocodeJob,
  createRollUpJob,
  createScanPartitionsJob,
  GEOCODE_QUEUE,
  PARTITIONS_QUEUE,
  ROLL_UP_QUEUE,
} from './features/scans/index.ts';
import { CHECK_FILES_QUEUE, createCheckFilesJob } from './features/system/index.ts';
import type { JobQueueDefinition } from './platform/jobs.ts';
import { createNominatimGeocoder } from './providers/geocoding/nominatim-geocoder.ts';
import { VERSION } from './shared/version.ts';

/** Every queue of the service; made in the database when it is migrated. */
export const JOB_QUEUES: readonly JobQueueDefinition[] = [
  MAIL_QUEUE,
  PUSH_QUEUE,
  PURGE_QR_CODES_QUEUE,
  CLEAN_UP_QUEUE,
  CHECK_FILES_QUEUE,
  DAILY_COUNTS_QUEUE,
  ROLL_UP_QUEUE,
  PARTITIONS_QUEUE,
  AUDIT_RETENTION_QUEUE,
  GEOCODE_QUEUE,
  EXPORT_QUEUE,
  ERASURE_QUEUE,
  EXPIRING_CODES_QUEUE,
  DOCUMENT_EXPIRY_QUEUE,
  ANNIVERSARIES_QUEUE,
  SYNC_QUEUE,
  RECONCILE_QUEUE,
  REMOVE_FILES_QUEUE,
  MALWARE_RECHECK_QUEUE,
];

const HOUR_SECONDS = 60 * 60;

/** A process has so many under way: each waits for another machine nearly all of its time. */
const MAIL_CONCURRENCY = 4;
const PUSH_CONCURRENCY = 8;
const PAYMENT_CONCURRENCY = 4;

/** What any of the jobs works with. */
type JobServices = { config: Config; malware: MalwareCheckServices | null } & Omit<
  Parameters<typeof createMalwareRecheckJob>[0],
  'scanner'
> &
  Parameters<typeof createSendMailJob>[0] &
  Parameters<typeof createSendPushJob>[0] &
  Parameters<typeof createPurgeQrCodesJob>[0] &
  Parameters<typeof createCleanUpJob>[0] &
  Parameters<typeof createCheckFilesJob>[0] &
  Parameters<typeof createAuditRetentionJob>[0] &
  Parameters<typeof createMakeExportJob>[0] &
  Parameters<typeof createRemoveFilesJob>[0] &
  Parameters<typeof createFinishErasureJob>[0] &
  Parameters<typeof createNotifyExpiringCodesJob>[0] &
  PaymentServices &
  Omit<Parameters<typeof createGeocodeJob>[0], 'geocoder'>;

/** Has the jobs of every queue done, and those that are repeated made; both begin when the jobs are started. */
export function registerJobHandlers(services: JobServices): void {
  const { jobs, config } = services;
  jobs.work(MAIL_QUEUE, createSendMailJob(services), MAIL_CONCURRENCY);
  jobs.work(PUSH_QUEUE, createSendPushJob(services), PUSH_CONCURRENCY);
  jobs.work(PURGE_QR_CODES_QUEUE, createPurgeQrCodesJob(services));
  jobs.repeat(PURGE_QR_CODES_QUEUE, HOUR_SECONDS);
  jobs.work(CLEAN_UP_QUEUE, createCleanUpJob(services));
  jobs.repeat(CLEAN_UP_QUEUE, HOUR_SECONDS);
  jobs.work(CHECK_FILES_QUEUE, createCheckFilesJob(services));
  jobs.repeat(CHECK_FILES_QUEUE, HOUR_SECONDS);
  jobs.work(DAILY_COUNTS_QUEUE, createDailyCountsJob(services));
  jobs.repeat(DAILY_COUNTS_QUEUE, HOUR_SECONDS);
  jobs.work(ROLL_UP_QUEUE, createRollUpJob(services));
  jobs.repeat(ROLL_UP_QUEUE, 60);
  const { database } = services;
  jobs.work(PARTITIONS_QUEUE, createScanPartitionsJob({ database, keptDays: config.scanRetentionDays }));
  jobs.repeat(PARTITIONS_QUEUE, HOUR_SECONDS);
  jobs.work(AUDIT_RETENTION_QUEUE, createAuditRetentionJob(services));
  jobs.repeat(AUDIT_RETENTION_QUEUE, HOUR_SECONDS);
  jobs.work(REMOVE_FILES_QUEUE, createRemoveFilesJob(services));
  jobs.work(EXPORT_QUEUE, createMakeExportJob(services));
  jobs.work(ERASURE_QUEUE, createFinishErasureJob(services));
  jobs.work(EXPIRING_CODES_QUEUE, createNotifyExpiringCodesJob(services));
  jobs.repeat(EXPIRING_CODES_QUEUE, 10 * 60);
  jobs.work(DOCUMENT_EXPIRY_QUEUE, createDocumentExpiryJob(services));
  jobs.repeat(DOCUMENT_EXPIRY_QUEUE, HOUR_SECONDS);
  jobs.work(ANNIVERSARIES_QUEUE, createNotifyAnniversariesJob(services));
  jobs.repeat(ANNIVERSARIES_QUEUE, 15 * 60);
  const { payments } = services;
  if (payments) {
    jobs.work(SYNC_QUEUE, createSyncPaymentJob({ ...services, payments }), PAYMENT_CONCURRENCY);
    jobs.work(RECONCILE_QUEUE, createReconcileJob({ ...services, payments }));
    jobs.repeat(RECONCILE_QUEUE, HOUR_SECONDS);
  }
  const { malware } = services;
  if (malware) {
    jobs.work(MALWARE_RECHECK_QUEUE, createMalwareRecheckJob({ ...services, scanner: malware.scanner }));
    jobs.repeat(MALWARE_RECHECK_QUEUE, 60);
  }
  if (config.geocoderUrl) {
    const userAgent = `qr-profile-service/${VERSION} (+${config.publicBaseUrl})`;
    const geocoder = createNominatimGeocoder({ url: config.geocoderUrl, userAgent });
    jobs.work(GEOCODE_QUEUE, createGeocodeJob({ ...services, geocoder }));
  }
}
