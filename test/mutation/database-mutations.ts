import type { DatabaseMutation } from '../../scripts/testing/mutation.ts';

const AUDIT_MIGRATION = 'prisma/migrations/20261123000010_audit/migration.sql';
const ACCOUNTS_MIGRATION = 'prisma/migrations/20261123000002_accounts/migration.sql';
const APPEND_ONLY_TESTS = [
  'test/features/audit/append-only.test.ts#neither the application nor the schema owner can change or remove audit entries',
];
const RETENTION_TESTS = [
  'test/features/audit/retention.test.ts#the application cannot drop young entries or incomplete ranges',
];
const ERASURE_TESTS = ['test/features/personal-data/erased-account.test.ts'];

/** Triggers and constraints, which hold whoever writes. */
export const DATABASE_MUTATIONS: readonly DatabaseMutation[] = [
  {
    guard: 'audit entries are never changed',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_entries_append_only ON audit_entries',
    tests: APPEND_ONLY_TESTS,
  },
  {
    guard: 'audit seals are never changed',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_seals_append_only ON audit_seals',
    tests: APPEND_ONLY_TESTS,
  },
  {
    guard: 'signed batches of the audit trail are never changed',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_seal_batches_append_only ON audit_seal_batches',
    tests: APPEND_ONLY_TESTS,
  },
  {
    guard: 'audit entries are never removed before their time',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_entries_removal_guard ON audit_entries',
    tests: APPEND_ONLY_TESTS,
  },
  {
    guard: 'audit seals are never removed before their time',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_seals_removal_guard ON audit_seals',
    tests: APPEND_ONLY_TESTS,
  },
  {
    guard: 'signed batches of the audit trail are never removed before their time',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_seal_batches_removal_guard ON audit_seal_batches',
    tests: APPEND_ONLY_TESTS,
  },
  {
    guard: 'only a range that is old enough is dropped from the audit trail',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_dropped_ranges_check ON audit_dropped_ranges',
    tests: [...RETENTION_TESTS, ...APPEND_ONLY_TESTS],
  },
  {
    guard: 'what was recorded of a dropped range is never changed',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_dropped_ranges_append_only ON audit_dropped_ranges',
    tests: [...APPEND_ONLY_TESTS, ...RETENTION_TESTS],
  },
  {
    guard: 'each audit entry waits for its seal',
    file: AUDIT_MIGRATION,
    sql: 'DROP TRIGGER audit_entries_queue_unsealed ON audit_entries',
    tests: [
      'test/features/audit/sealing.test.ts#entries are sealed in a chain from 1 without gaps, and the whole chain can be verified',
    ],
  },
  {
    guard: 'an erased account stays erased',
    file: ACCOUNTS_MIGRATION,
    sql: 'DROP TRIGGER users_erasure_final ON users',
    tests: ERASURE_TESTS,
  },
  {
    guard: 'an erased account gets no session',
    file: ACCOUNTS_MIGRATION,
    sql: 'DROP TRIGGER sessions_erasure_guard ON sessions',
    tests: ERASURE_TESTS,
  },
  {
    guard: 'an erased account gets no reset link',
    file: ACCOUNTS_MIGRATION,
    sql: 'DROP TRIGGER password_resets_erasure_guard ON password_resets',
    tests: ERASURE_TESTS,
  },
  {
    guard: 'an erased account gets no code',
    file: 'prisma/migrations/20261123000004_qr_codes/migration.sql',
    sql: 'DROP TRIGGER qr_codes_erasure_guard ON qr_codes',
    tests: ERASURE_TESTS,
  },
  {
    guard: 'an erased account gets no document',
    file: 'prisma/migrations/20261123000008_documents/migration.sql',
    sql: 'DROP TRIGGER documents_erasure_guard ON documents',
    tests: ERASURE_TESTS,
  },
  {
    guard: 'the phone of an ended session gets no push message',
    file: 'prisma/migrations/20261123000007_notifications/migration.sql',
    sql: 'DROP TRIGGER sessions_delete_devices ON sessions',
    tests: ['test/features/notifications/push/push-devices.test.ts#removes a device when its session ends'],
  },
  {
    guard: 'a package that was sold does not change',
    file: 'prisma/migrations/20261123000003_billing/migration.sql',
    sql: 'DROP TRIGGER subscription_package_versions_immutable ON subscription_package_versions',
    tests: ['test/features/administration/packages.test.ts'],
  },
];
