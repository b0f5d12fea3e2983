import type { Config } from './config.ts';
import { COUNT_DAYS_QUEUE, countDaysJob } from './features/administration/count-days.job.ts';
import { RETENTION_QUEUE, retentionJob } from './features/audit/retention.job.ts';
import { CHECK_HELD_QUEUE, checkHeldJob } from './features/documents/check-held.job.ts';
import type { MalwareCheckServices } from './features/documents/document-services.ts';
import { DOCUMENT_ENDS_QUEUE, tellDocumentEndsJob } from './features/documents/tell-document-ends.job.ts';
import { CHECK_FILES_QUEUE, checkFilesJob } from './features/files/check-files.job.ts';
import { REMOVE_FILES_QUEUE, removeFilesJob } from './features/files/remove-files.job.ts';
import { CLEAN_UP_QUEUE, cleanUpJob } from './features/housekeeping/clean-up.job.ts';
import { MAIL_QUEUE, sendMailJob } from './features/mails/send-mail.job.ts';
import { ANNIVERSARIES_QUEUE, tellAnniversariesJob } from './features/memory-tags/tell-anniversaries.job.ts';
import { ENDS_QUEUE, tellEndsJob } from './features/notifications/tell-ends.job.ts';
import type { PaymentServices } from './features/payments/payment-services.ts';
import { RECONCILE_QUEUE, reconcileJob } from './features/payments/reconcile.job.ts';
import { syncPaymentJob } from './features/payments/sync-payment.job.ts';
import { SYNC_QUEUE } from './features/payments/want-look.ts';
import { ERASURE_QUEUE, finishErasureJob } from './features/personal-data/finish-erasure.job.ts';
import { EXPORT_QUEUE, makeExportJob } from './features/personal-data/make-export.job.ts';
import { PUSH_QUEUE, sendPushJob } from './features/push/send-push.job.ts';
import { PURGE_QUEUE, purgeQrCodesJob } from './features/qrcodes/purge-qrcodes.job.ts';
import { GEOCODE_QUEUE, geocodeJob } from './features/scans/geocode.job.ts';
import { PARTITIONS_QUEUE, scanPartitionsJob } from './features/scans/scan-partitions.job.ts';
import { ROLL_UP_QUEUE, rollUpJob } from './features/statistics/roll-up.job.ts';
import type { Queue } from './platform/jobs.ts';
import { createNominatimGeocoder } from './providers/geocoding/nominatim-geocoder.ts';
import { VERSION } from './shared/version.ts';

/** Every queue of the service; made in the database when it is migrated. */
export const QUEUES: readonly Queue[] = [
  MAIL_QUEUE,
  PUSH_QUEUE,
  PURGE_QUEUE,
  CLEAN_UP_QUEUE,
  CHECK_FILES_QUEUE,
  COUNT_DAYS_QUEUE,
  ROLL_UP_QUEUE,
  PARTITIONS_QUEUE,
  RETENTION_QUEUE,
  GEOCODE_QUEUE,
  EXPORT_QUEUE,
  ERASURE_QUEUE,
  ENDS_QUEUE,
  DOCUMENT_ENDS_QUEUE,
  ANNIVERSARIES_QUEUE,
  SYNC_QUEUE,
  RECONCILE_QUEUE,
  REMOVE_FILES_QUEUE,
  CHECK_HELD_QUEUE,
];

const HOUR = 60 * 60;

/** A process has so many under way: each waits for another machine nearly all of its time. */
const MAILS_AT_A_TIME = 4;
const PUSHES_AT_A_TIME = 8;
const PAYMENTS_AT_A_TIME = 4;

/** What any of the jobs works with. */
type JobServices = { config: Config; malware: MalwareCheckServices | null } & Omit<
  Parameters<typeof checkHeldJob>[0],
  'scanner'
> &
  Parameters<typeof sendMailJob>[0] &
  Parameters<typeof sendPushJob>[0] &
  Parameters<typeof purgeQrCodesJob>[0] &
  Parameters<typeof cleanUpJob>[0] &
  Parameters<typeof checkFilesJob>[0] &
  Parameters<typeof retentionJob>[0] &
  Parameters<typeof makeExportJob>[0] &
  Parameters<typeof removeFilesJob>[0] &
  Parameters<typeof finishErasureJob>[0] &
  Parameters<typeof tellEndsJob>[0] &
  PaymentServices &
  Omit<Parameters<typeof geocodeJob>[0], 'geocoder'>;

/** Has the jobs of every queue done, and those that are repeated made; both begin when the jobs are started. */
export function workQueues(services: JobServices): void {
  const { jobs, config } = services;
  jobs.work(MAIL_QUEUE, sendMailJob(services), MAILS_AT_A_TIME);
  jobs.work(PUSH_QUEUE, sendPushJob(services), PUSHES_AT_A_TIME);
  jobs.work(PURGE_QUEUE, purgeQrCodesJob(services));
  jobs.repeat(PURGE_QUEUE, HOUR);
  jobs.work(CLEAN_UP_QUEUE, cleanUpJob(services));
  jobs.repeat(CLEAN_UP_QUEUE, HOUR);
  jobs.work(CHECK_FILES_QUEUE, checkFilesJob(services));
  jobs.repeat(CHECK_FILES_QUEUE, HOUR);
  jobs.work(COUNT_DAYS_QUEUE, countDaysJob(services));
  jobs.repeat(COUNT_DAYS_QUEUE, HOUR);
  jobs.work(ROLL_UP_QUEUE, rollUpJob(services));
  jobs.repeat(ROLL_UP_QUEUE, 60);
  const { database } = services;
  jobs.work(PARTITIONS_QUEUE, scanPartitionsJob({ database, keptDays: config.scanRetentionDays }));
  jobs.repeat(PARTITIONS_QUEUE, HOUR);
  jobs.work(RETENTION_QUEUE, retentionJob(services));
  jobs.repeat(RETENTION_QUEUE, HOUR);
  jobs.work(REMOVE_FILES_QUEUE, removeFilesJob(services));
  jobs.work(EXPORT_QUEUE, makeExportJob(services));
  jobs.work(ERASURE_QUEUE, finishErasureJob(services));
  jobs.work(ENDS_QUEUE, tellEndsJob(services));
  jobs.repeat(ENDS_QUEUE, 10 * 60);
  jobs.work(DOCUMENT_ENDS_QUEUE, tellDocumentEndsJob(services));
  jobs.repeat(DOCUMENT_ENDS_QUEUE, HOUR);
  jobs.work(ANNIVERSARIES_QUEUE, tellAnniversariesJob(services));
  jobs.repeat(ANNIVERSARIES_QUEUE, 15 * 60);
  const { payments } = services;
  if (payments) {
    jobs.work(SYNC_QUEUE, syncPaymentJob({ ...services, payments }), PAYMENTS_AT_A_TIME);
    jobs.work(RECONCILE_QUEUE, reconcileJob({ ...services, payments }));
    jobs.repeat(RECONCILE_QUEUE, HOUR);
  }
  const { malware } = services;
  if (malware) {
    jobs.work(CHECK_HELD_QUEUE, checkHeldJob({ ...services, scanner: malware.scanner }));
    jobs.repeat(CHECK_HELD_QUEUE, 60);
  }
  if (config.geocoderUrl) {
    const userAgent = `qr-profile-service/${VERSION} (+${config.publicBaseUrl})`;
    const geocoder = createNominatimGeocoder({ url: config.geocoderUrl, userAgent });
    jobs.work(GEOCODE_QUEUE, geocodeJob({ ...services, geocoder }));
  }
}
