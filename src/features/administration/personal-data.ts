import { defineNonPersonalTable, definePersonalData } from '../../platform/personal-data.ts';

export const administrationPersonalData = definePersonalData({
  tables: {
    daily_service_counts: defineNonPersonalTable('Counts of the whole service by day.'),
    break_glass_grants: {
      exported: { in: 'events' },
      erased: 'KEPT',
      how: 'Evidence of what an administrator read in an emergency, for auditors; by ids alone, the reason encrypted.',
    },
  },
});
