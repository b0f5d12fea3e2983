/** The oldest supported PostgreSQL as Debian packages it: with JIT, which the embedded one lacks. */
export const STOCK_SERVER_FOLDER = '/usr/lib/postgresql/15/bin';

/** What depends on plans, partitions, locks and versions of the server. */
export const STOCK_SERVER_TESTS = [
  'test/platform/database-session.test.ts',
  'test/platform/jobs.test.ts',
  'test/platform/copy-query.test.ts',
  'test/platform/schema-agreement.test.ts',
  'test/features/scans/insert-scan.test.ts',
  'test/features/scans/scan-partitions.test.ts',
  'test/features/scans/scan-retention.test.ts',
  'test/features/scans/scan-export.test.ts',
  'test/features/scans/statistics/roll-up.test.ts',
  'test/features/scans/statistics/statistics.test.ts',
  'test/features/scans/dashboard/dashboard.test.ts',
  'test/features/scans/reports/report.test.ts',
  'test/features/personal-data/export.test.ts',
  'test/features/audit/sealing.test.ts',
  'test/reporting/counts.test.ts',
];
