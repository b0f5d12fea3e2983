import {
  defineNonPersonalTable,
  definePersonalData,
  defineTableDeletedOnErasure,
} from '../../platform/personal-data.ts';

/** Declarations only: export and erasure of the audit trail are in platform/audit-trail.repository.ts. */
export const auditPersonalData = definePersonalData({
  tables: {
    audit_entries: {
      exported: { in: 'events' },
      erased: 'KEPT',
      how: 'Complete and verifiable. They name a user by a random reference, which cannot be resolved after the erasure.',
    },
    audit_unsealed: defineNonPersonalTable('Ids of entries that wait to be sealed.'),
    audit_seals: defineNonPersonalTable('Hash chain over the trail.'),
    audit_seal_batches: defineNonPersonalTable('Signatures of the hash chain.'),
    audit_retention: defineNonPersonalTable('Retention period of the trail.'),
    audit_dropped_ranges: defineNonPersonalTable(
      'Ranges of the trail that were deleted because of their age.',
    ),
    audit_actors: defineTableDeletedOnErasure(
      { not: 'the reference itself' },
      { how: 'Immediately. Without the row the reference cannot be resolved to a user.' },
    ),
    audit_origins: defineTableDeletedOnErasure(
      { in: 'events (own actions)' },
      { how: 'IP addresses and user agents of the user’s actions, and of failed logins to the account.' },
    ),
  },
});
