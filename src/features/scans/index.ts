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
export type { ScanEvent, ScanLocatedEvent, ScanNotification } from './scan-notification.ts';
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
