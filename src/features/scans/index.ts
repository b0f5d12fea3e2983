import type { Tx } from '../../platform/database.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { Geocoder } from '../../providers/geocoding/geocoding.port.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { DashboardCards } from './dashboard/dashboard.schemas.ts';
import { createGeocodeJob, GEOCODE_QUEUE } from './geocode.job.ts';
import { deleteExpiredCells, type PositionKey } from './geocoding.repository.ts';
import { createScanRecorder } from './record-scan.ts';
import { reportRoutes } from './reports/report.routes.ts';
import { ScanDetails, ScanItem, ScanList, ScanLocation, ScanResult } from './scan-answers.schemas.ts';
import { scanCreationRoutes } from './scan-creation.routes.ts';
import { scanExportRoutes } from './scan-export.routes.ts';
import { createScanLimiter } from './scan-limiter.ts';
import { createScanPartitionsJob, PARTITIONS_QUEUE } from './scan-partitions.job.ts';
import { scanReadingRoutes } from './scan-reading.routes.ts';
import type { ScanServices } from './scan-services.ts';
import { deleteExpiredVisitors } from './scan-visitor.repository.ts';
import { createRollUpJob, ROLL_UP_QUEUE } from './statistics/roll-up.job.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { ScanStatistics } from './statistics/statistics.schemas.ts';

type ScanFeatureServices = Omit<ScanServices, 'scanLimiter' | 'recordScan' | 'requestGeocoding'> & {
  config: { scanRetentionDays: number | undefined };
  jobs: JobScheduler;
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Null when none is configured. */
  reverseGeocoder: Geocoder | null;
};

export const scansManifest: FeatureManifest = {
  name: 'scans',
  queues: [ROLL_UP_QUEUE, PARTITIONS_QUEUE, GEOCODE_QUEUE],
  schemas: [ScanResult, ScanLocation, ScanItem, ScanDetails, ScanList, DashboardCards, ScanStatistics],
};

export function createScans(shared: ScanFeatureServices) {
  const { config, database, jobs, reverseGeocoder } = shared;
  const requestGeocoding = reverseGeocoder
    ? (tx: Tx, position: PositionKey) => jobs.enqueue(tx, GEOCODE_QUEUE, { ...position })
    : null;
  const scanLimiter = createScanLimiter();
  const recordScan = createScanRecorder({ ...shared, scanLimiter, requestGeocoding });
  const services = { ...shared, scanLimiter, requestGeocoding, recordScan };
  const feature: Feature = {
    async plugin(app) {
      await app.register(scanCreationRoutes, { prefix: '/api/scans', ...services });
      await app.register(scanExportRoutes, { prefix: '/api/scans', ...services });
      await app.register(statisticsRoutes, { prefix: '/api', ...services });
      await app.register(reportRoutes, { prefix: '/api/scans', ...services });
      await app.register(scanReadingRoutes, { prefix: '/api/scans', ...services });
      await app.register(dashboardRoutes, { prefix: '/api/dashboard', ...services });
    },
    jobs: [
      { queue: ROLL_UP_QUEUE, handler: createRollUpJob(services), intervalSeconds: 60 },
      {
        queue: PARTITIONS_QUEUE,
        handler: createScanPartitionsJob({ database, keptDays: config.scanRetentionDays }),
        intervalSeconds: 3_600,
      },
      ...(reverseGeocoder
        ? [{ queue: GEOCODE_QUEUE, handler: createGeocodeJob({ ...services, geocoder: reverseGeocoder }) }]
        : []),
    ],
    cleanUp: [
      () => deleteExpiredVisitors(database.client, getDateDaysAgo(3)),
      () => deleteExpiredCells(database.client, new Date(Date.now() - LIFETIMES_SECONDS.geocodedCell * 1000)),
    ],
  };
  return { feature, services: { scanLimiter, requestGeocoding, recordScan } };
}

export {
  deleteFinderBlock,
  findBlockedConversationIds,
  insertFinderBlock,
  isFinderBlocked,
} from './blocked-finder.repository.ts';
export { DashboardCards } from './dashboard/dashboard.schemas.ts';
export { type AgentDescription, describeAgent } from './describe-agent.ts';
export { computeFinderHash } from './finder-hash.ts';
export { createGeocodeJob, GEOCODE_QUEUE } from './geocode.job.ts';
export { deleteExpiredCells, type PositionKey } from './geocoding.repository.ts';
export { insertScans, type NewScan } from './insert-scan.repository.ts';
export { scansPersonalData } from './personal-data.ts';
export { consumePinAttempts, refundPinAttempts, reservePinAttempts } from './pin-attempts.repository.ts';
export { getContentForScan, getPublicContent } from './public-content.ts';
export { reclassifyScans } from './reclassify-scans.ts';
export { createScanRecorder } from './record-scan.ts';
export { findScan } from './scan.repository.ts';
export { ScanDetails, ScanItem, ScanList, ScanLocation, ScanResult } from './scan-answers.schemas.ts';
export { isBotOrPreview } from './scan-class.rules.ts';
export { createScanLimiter } from './scan-limiter.ts';
export { listScanLocations } from './scan-location.repository.ts';
export { addScanLocation } from './scan-location.ts';
export { toScanNotification } from './scan-notification.ts';
export { createScanPartitionsJob, PARTITIONS_QUEUE } from './scan-partitions.job.ts';
export { addScanPartitions } from './scan-partitions.repository.ts';
export { decryptRowLocation, decryptScanLocation } from './scan-position.ts';
export { createConnectionQuery } from './scan-query.ts';
export { ScanTokenHeader } from './scan-requests.schemas.ts';
export type { ScanServices } from './scan-services.ts';
export { isScanToken } from './scan-token.ts';
export { deleteExpiredVisitors, findVisitorHashes } from './scan-visitor.repository.ts';
export {
  getOpenCode,
  getVisibleContent,
  isCodeOpen,
  isScanUnlocked,
  type ScannedCode,
  type VisibleContent,
} from './scanned-code.ts';
export { createRollUpJob, ROLL_UP_QUEUE } from './statistics/roll-up.job.ts';
export { getRollUpLag, type RollUpLag } from './statistics/rollup.repository.ts';
export { ScanStatistics } from './statistics/statistics.schemas.ts';
export { parseRangeEnd } from './time-range.rules.ts';
export { unlockScan } from './unlock-scan.ts';
export { getPublicIdempotencyOwner, toScanVisitor } from './visitor.ts';
