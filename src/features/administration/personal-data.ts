import { defineNonPersonalTable, definePersonalData } from '../../platform/personal-data.ts';

export const administrationPersonalData = definePersonalData({
  tables: {
    daily_service_counts: defineNonPersonalTable('Counts of the whole service by day.'),
    break_glass_grants: {
      exported: { in: 'events' },
      erased: 'KEPT',
      how: 'Evidence of emergency access by administrators, for auditors. Rows have only ids and an encrypted reason.',
    },
  },
});
