import { deleteUserIdempotencyKeys } from './idempotency.repository.ts';
import {
  defineDeletedTable,
  defineKeptTable,
  defineNonPersonalTable,
  definePersonalData,
} from './personal-data.ts';

/** Tables of the platform. Those of the audit trail are declared in features/audit. */
export const platformPersonalData = definePersonalData({
  tables: {
    attempt_budgets: defineKeptTable(
      'keyed hashes of what is guarded, and counts',
      'Name nobody; forgotten a day after they end.',
    ),
    rate_counters: defineKeptTable(
      'counts by address of the network',
      'Name nobody; forgotten within minutes.',
    ),
    idempotency_keys: defineDeletedTable(
      { not: 'answers that were given already, kept for a day' },
      {
        how: 'Those kept for the account, and those given to others that show its content.',
        erase: async (tx, { userId }, { limit }) =>
          (await deleteUserIdempotencyKeys(tx, userId, limit)) < limit,
      },
    ),
    encryption_keys: defineNonPersonalTable('Check values of keys.'),
    instances: defineNonPersonalTable('Which keys the running instances have.'),
    _prisma_migrations: defineNonPersonalTable('The history of the schema.'),
  },
});
