import { definePersonalData, defineTableKeptOnErasure } from '../../platform/personal-data.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';

export const ownerPagesPersonalData = definePersonalData({
  tables: {
    code_drafts: defineTableKeptOnErasure(
      'of nobody’s account, and readable with the cookie of one browser only',
      `Deleted when its code is made, or after ${formatLifetime('codeDraft')}.`,
    ),
  },
});
