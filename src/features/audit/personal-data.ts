import {
  defineDeletedTable,
  defineNonPersonalTable,
  definePersonalData,
} from '../../platform/personal-data.ts';

/** Facts only: export and erasure of the audit trail are in platform/audit-trail.repository.ts. */
export const auditPersonalData = definePersonalData({
  tables: {
    audit_entries: {
      exported: { in: 'events' },
      erased: 'KEPT',
      how: 'Whole and verifiable. They name a person by a random reference, which leads nowhere afterwards.',
    },
    audit_unsealed: defineNonPersonalTable('Entries that wait for their seal.'),
    audit_seals: defineNonPersonalTable('The chain of hashes over the trail.'),
    audit_seal_batches: defineNonPersonalTable('Its signatures.'),
    audit_retention: defineNonPersonalTable('How long the trail is kept.'),
    audit_dropped_ranges: defineNonPersonalTable('What of it was dropped because of its age.'),
    audit_actors: defineDeletedTable(
      { not: 'the reference itself' },
      { how: 'At once: the only way from a reference to a person.' },
    ),
    audit_origins: defineDeletedTable(
      { in: 'events, those of the person’s own doing' },
      { how: 'Addresses and agents of what the person did, and of failed log-ins to the account.' },
    ),
  },
});
