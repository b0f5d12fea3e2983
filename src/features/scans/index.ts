import { Type } from 'typebox';
import { runForAccount } from '../../platform/bound-database.ts';
import type { Tx } from '../../platform/database.ts';
import type { EventObjectReaders } from '../../platform/event-objects.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import type { Brand } from '../../shared/brand.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { ROLES_BY_TOPIC } from '../../shared/notification-topics.ts';
import { SCAN_COUNT_SCHEMA_PROPERTIES } from '../../shared/scan-counts.schemas.ts';
import type { MoveServices } from '../codes/index.ts';
import type { MailOutbox } from '../mail/index.ts';
import { claimRoutes } from './claims/claims.routes.ts';
import { ClaimSchema } from './claims/claims.schemas.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { DashboardCards } from './dashboard/dashboard.schemas.ts';
import { createReverseGeocodeJob, REVERSE_GEOCODE_QUEUE } from './geocode.job.ts';
import { deleteExpiredGeocodedCells, type ScanPositionRowKey } from './geocoding.repository.ts';
import { moveScans } from './move-scans.ts';
import { createScanEventReader } from './read-event-scan.ts';
import { createScanRecorder } from './record-scan.ts';
import { scanReportRoutes } from './reports/report.routes.ts';
import { deleteReportSchedule } from './reports/schedule/report-schedule.repository.ts';
import { reportScheduleRoutes } from './reports/schedule/report-schedule.routes.ts';
import { ReportSchedule } from './reports/schedule/report-schedule.schemas.ts';
import { createSendReportsJob, SEND_REPORTS_QUEUE } from './reports/schedule/send-reports.job.ts';
import { createScanReportSender } from './reports/send-report.ts';
import {
  NullableLocation,
  ScanDetails,
  ScanItem,
  ScanList,
  ScanLocation,
  ScanResult,
} from './scan-answers.schemas.ts';
import { scanCreationRoutes } from './scan-creation.routes.ts';
import { scanExportRoutes } from './scan-export.routes.ts';
import { SCAN_GAUGES } from './scan-gauges.ts';
import { createScanLimiter } from './scan-limiter.ts';
import { createScanPartitionsJob, SCAN_PARTITIONS_QUEUE } from './scan-partitions.job.ts';
import { scanReadingRoutes } from './scan-reading.routes.ts';
import type { ScanServices } from './scan-services.ts';
import { deleteExpiredScanVisitors } from './scan-visitor.repository.ts';
import { createMergeRollupsJob, MERGE_ROLLUPS_QUEUE } from './statistics/merge-rollups.job.ts';
import { createScanRollUpJob, SCAN_ROLL_UP_QUEUE } from './statistics/roll-up.job.ts';
import { scanStatisticsRoutes } from './statistics/statistics.routes.ts';
import { ScanCountsByValue, ScanStatistics } from './statistics/statistics.schemas.ts';

type ScanFeatureServices = Omit<ScanServices, 'scanLimiter' | 'recordScan' | 'requestGeocoding'> &
  MoveServices & {
    config: { scanRetentionDays: number | undefined; isScanArchived: boolean };
    privateFiles: FileStore;
    publicFiles: FileStore;
    jobs: JobScheduler;
    eventObjects: EventObjectReaders;
    brand: Brand;
    mailOutbox: MailOutbox;
    publicBaseUrl: string;
    ownerPagesUrl: string | null;
    applicationUrl: string | null;
    log: { info(details: object, message: string): void; warn(details: object, message: string): void };
    /** Null when none is configured. */
    reverseGeocoder: Geocoder | null;
  };

export const scansManifest: FeatureManifest = {
  name: 'scans',
  queues: [
    SCAN_ROLL_UP_QUEUE,
    MERGE_ROLLUPS_QUEUE,
    SCAN_PARTITIONS_QUEUE,
    REVERSE_GEOCODE_QUEUE,
    SEND_REPORTS_QUEUE,
  ],
  gauges: SCAN_GAUGES,
  repeatedSchemas: {
    ScanCounts: Type.Object(SCAN_COUNT_SCHEMA_PROPERTIES),
    ScanCountsByValue,
    ScanPosition: NullableLocation,
  },
  schemas: [
    ScanResult,
    ScanLocation,
    ScanItem,
    ScanDetails,
    ScanList,
    DashboardCards,
    ScanStatistics,
    ReportSchedule,
    ClaimSchema,
  ],
};

export function createScansFeature(shared: ScanFeatureServices) {
  const { config, database, privateFiles, jobs, reverseGeocoder } = shared;
  shared.events.subscribe('membership.changed', async (tx, changes) => {
    for (const { role, isLimited, ...member } of changes) {
      if (role !== null && !isLimited && ROLES_BY_TOPIC.SCANS.includes(role)) continue;
      await runForAccount(tx, member.accountId, () => deleteReportSchedule(tx, member));
    }
  });
  shared.events.subscribe('code.moved', async (tx, moves) => {
    for (const move of moves) await moveScans(shared.fieldCipher, tx, move);
  });
  shared.eventObjects.register('scan', createScanEventReader(shared));
  const requestGeocoding = reverseGeocoder
    ? (tx: Tx, position: ScanPositionRowKey) => jobs.enqueue(tx, REVERSE_GEOCODE_QUEUE, { ...position })
    : null;
  const scanLimiter = createScanLimiter();
  const recordScan = createScanRecorder({ ...shared, scanLimiter, requestGeocoding });
  const scanReports = createScanReportSender(shared);
  const services = { ...shared, scanLimiter, requestGeocoding, recordScan, scanReports };
  const feature: Feature = {
    async plugin(app) {
      await app.register(scanCreationRoutes, { prefix: '/api/scans', ...services });
      await app.register(scanExportRoutes, { prefix: '/api/scans', ...services });
      await app.register(scanStatisticsRoutes, { prefix: '/api', ...services });
      await app.register(scanReportRoutes, { prefix: '/api/scans', ...services });
      await app.register(reportScheduleRoutes, { prefix: '/api/scans', ...services });
      await app.register(scanReadingRoutes, { prefix: '/api/scans', ...services });
      await app.register(claimRoutes, { prefix: '/api/claims', ...services });
      await app.register(dashboardRoutes, { prefix: '/api/dashboard', ...services });
    },
    jobs: [
      { queue: SCAN_ROLL_UP_QUEUE, handler: createScanRollUpJob(services), intervalSeconds: 60 },
      { queue: MERGE_ROLLUPS_QUEUE, handler: createMergeRollupsJob(services), intervalSeconds: HOUR_SECONDS },
      {
        queue: SCAN_PARTITIONS_QUEUE,
        handler: createScanPartitionsJob({
          database,
          privateFiles,
          keptDays: config.scanRetentionDays,
          isArchived: config.isScanArchived,
        }),
        intervalSeconds: HOUR_SECONDS,
      },
      { queue: SEND_REPORTS_QUEUE, handler: createSendReportsJob(services), intervalSeconds: 300 },
      ...(reverseGeocoder
        ? [
            {
              queue: REVERSE_GEOCODE_QUEUE,
              handler: createReverseGeocodeJob({ ...services, geocoder: reverseGeocoder }),
            },
          ]
        : []),
    ],
    cleanUp: [
      () => deleteExpiredScanVisitors(database.client, getDateDaysAgo(3)),
      () =>
        deleteExpiredGeocodedCells(
          database.client,
          new Date(Date.now() - LIFETIMES_SECONDS.geocodedCell * 1000),
        ),
    ],
  };
  return { feature, services: { scanLimiter, requestGeocoding, recordScan, scanReports } };
}

export { commitMedicalContentAccess } from './audit-medical-access.ts';
export {
  deleteFinderBlock,
  findBlockedFinderConversationIds,
  insertFinderBlock,
  isFinderBlocked,
} from './blocked-finder.repository.ts';
export {
  type ClaimServices,
  claimTagByCode,
  getClaimableTag,
  openUnclaimedTag,
  undoOwnClaim,
} from './claims/claim.use-case.ts';
export { MAX_CLAIM_NAME_CHARACTERS } from './claims/claims.schemas.ts';
export type { DashboardData } from './dashboard/dashboard.repository.ts';
export { readOwnDashboard } from './dashboard/read-own-dashboard.ts';
export { describeUserAgent, type UserAgentDescription } from './describe-agent.ts';
export { findQrCodeIdByTypedNumber } from './find-numbered-code.use-case.ts';
export { computeFinderHash } from './finder-hash.ts';
export { insertScans, type NewScanRow } from './insert-scan.repository.ts';
export { type LocatedScan, listLocatedOwnScans } from './list-located-scans.ts';
export {
  findLastOwnScans,
  listOwnScans,
  readQrCodesOfScans,
  SCAN_LIST_SORTS,
} from './list-own-scans.ts';
export { moveScanHistory } from './move-scans.ts';
export { scansPersonalData } from './personal-data.ts';
export { consumePinAttempts, refundPinAttempts } from './pin-attempts.repository.ts';
export { isExemptFromPin } from './pin-exemption.ts';
export { createPinLimits, reservePinAttempt } from './pin-limits.ts';
export { getPublicQrCodeContent, getQrCodeContentForScan } from './public-content.ts';
export { type OwnScan, readOwnScan, readScanByBreakGlass, type ScanPosition } from './read-own-scan.ts';
export { reclassifyScans } from './reclassify-scans.ts';
export { renderScanChart } from './reports/line-chart-figure.ts';
export { createScanReportFormatter } from './reports/report-formatter.ts';
export { scheduleReport, unscheduleReport } from './reports/schedule/change-schedule.use-case.ts';
export { REPORT_MAIL_KIND } from './reports/schedule/report-link.ts';
export {
  deleteReportSchedulesOfUser,
  findReportSchedule,
} from './reports/schedule/report-schedule.repository.ts';
export { getNextReportTime, REPORT_FREQUENCIES } from './reports/schedule/report-schedule.rules.ts';
export { ReportScheduleInput } from './reports/schedule/report-schedule.schemas.ts';
export type { ScanReportSender } from './reports/send-report.ts';
export { findScan, type ScanWithQrCode } from './scan.repository.ts';
export { isBotOrPreviewRequest, SCAN_CLASSES } from './scan-class.rules.ts';
export type { ScanListRow } from './scan-list.repository.ts';
export { addScanLocation } from './scan-location.use-case.ts';
export { toScanNotification } from './scan-notification.ts';
export { addScanPartitions } from './scan-partitions.repository.ts';
export type { ScanArea } from './scan-position.ts';
export { ScanTokenHeader } from './scan-requests.schemas.ts';
export type { ScanServices } from './scan-services.ts';
export { isValidScanToken } from './scan-token.ts';
export { findNetworksByScan } from './scan-visitor.repository.ts';
export {
  assertQrCodeNotWithheld,
  getOpenQrCode,
  getVisibleQrCodeContent,
  isQrCodeOpen,
  isScanUnlocked,
  type ScannedQrCode,
  type VisibleQrCodeContent,
} from './scanned-code.ts';
export { sendScanExport } from './send-scan-export.ts';
export { readOwnQrCodeStatistics } from './statistics/read-own-statistics.ts';
export { getScanRollUpLag, type ScanRollUpLag } from './statistics/rollup.repository.ts';
export { findStatisticsPeriodErrors } from './statistics/statistics-period.rules.ts';
export { unlockScan } from './unlock-scan.use-case.ts';
export { getPublicIdempotencyOwner, toScanVisitor } from './visitor.ts';
