import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { userOf } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { account, unaudited } from '../../platform/route-access.ts';
import { ref } from '../../shared/common.schemas.ts';
import { type DashboardFacts, readDashboard } from './dashboard.repository.ts';
import { DashboardCards } from './dashboard.schemas.ts';
import { startOfDay, startOfDayBefore } from './day-start.rules.ts';

const CLASSES = ['HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE'] as const;

/** What an owner wants to see first. */
export const dashboardRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '/cards',
    {
      config: { access: account('dashboard:own'), audit: unaudited('USER') },
      schema: {
        operationId: 'dashboard.cards',
        tags: ['Dashboard'],
        summary: 'Codes, scans, notifications and memory tags at a glance, and what needs attention.',
        response: { 200: ref(DashboardCards) },
      },
    },
    async (request) => {
      const { id, timeZone } = userOf(request);
      const now = new Date();
      const since = {
        today: startOfDay(now, timeZone),
        yesterday: startOfDayBefore(now, 1, timeZone),
        week: startOfDayBefore(now, 6, timeZone),
      };
      return cardsOf(await readDashboard(database, id, since));
    },
  );
};

function cardsOf(facts: DashboardFacts): Static<typeof DashboardCards> {
  const {
    codes,
    scans,
    today,
    yesterday,
    week,
    lastScan,
    attention,
    unread,
    messages,
    memoryTags,
    documents,
  } = facts;
  const { active, paused, lost, expired } = codes;
  return {
    qrCodes: {
      total: codes.all,
      byStatus: { ACTIVE: active, PAUSED: paused, LOST: lost, EXPIRED: expired },
    },
    scans: { ...scans, today, yesterday, last7Days: week },
    lastScan: lastScan && {
      ...lastScan,
      class: CLASSES.find((known) => known === lastScan.class) ?? 'HUMAN',
      scannedAt: lastScan.scannedAt.toISOString(),
    },
    notifications: { unread },
    messages: { unread: messages },
    memoryTags: { total: memoryTags },
    documents,
    attention: { total: lost + expired, codes: attention },
  };
}
