import { formatLifetime } from '../shared/lifetimes.ts';
import { deleteUserIdempotencyKeys } from './idempotency.repository.ts';
import {
  defineNonPersonalTable,
  definePersonalData,
  defineTableDeletedOnErasure,
  defineTableKeptOnErasure,
} from './personal-data.ts';

/** Tables of the platform. Those of the audit trail are declared in features/audit. */
export const platformPersonalData = definePersonalData({
  tables: {
    attempt_budgets: defineTableKeptOnErasure(
      'ids, keyed hashes and counts',
      'Contain no personal data; deleted a day after they expire.',
    ),
    rate_counters: defineTableKeptOnErasure(
      'counts by keyed hash of a network address',
      'Contain no personal data; deleted about an hour after they expire.',
    ),
    repeated_accesses: defineTableKeptOnErasure(
      'counts of visits by truncated network address',
      'Truncated addresses of visitors without an account; deleted after the day.',
    ),
    idempotency_keys: defineTableDeletedOnErasure(
      { not: `responses that were already sent, kept for ${formatLifetime('idempotentResponse')}` },
      {
        how: 'Responses to the account, and responses to others with content of the account.',
        erase: async (tx, { userId }, { limit }) =>
          (await deleteUserIdempotencyKeys(tx, userId, limit)) < limit,
      },
    ),
    encryption_keys: defineNonPersonalTable('Check values of encryption keys.'),
    secret_checks: defineNonPersonalTable('Check values of other secrets.'),
    instances: defineNonPersonalTable('Running instances and the ids of their encryption keys.'),
    _prisma_migrations: defineNonPersonalTable('History of the migrations.'),
    compatible_migrations: defineNonPersonalTable('Names of migrations.'),
  },
});
