import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { Database } from '../../../platform/database.ts';
import { allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { schemaRef } from '../../../shared/common.schemas.ts';
import { parseScanClass } from '../scan-class.rules.ts';
import type { DashboardData } from './dashboard.repository.ts';
import { DashboardCards } from './dashboard.schemas.ts';
import { readOwnDashboard } from './read-own-dashboard.ts';

export const dashboardRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '/cards',
    {
      config: { access: allowUsers('dashboard:own'), audit: skipAudit('USER') },
      schema: {
        operationId: 'dashboard.getCards',
        tags: ['Dashboard'],
        summary: 'Get the dashboard',
        description:
          'Returns counts of codes, scans, messages and documents, the last scan, and the codes that need attention. Days are those of your time zone.',
        response: { 200: schemaRef(DashboardCards) },
      },
    },
    async (request) => {
      const { id } = requireAccount(request);
      const { timeZone } = requireAuthenticatedUser(request);
      return toDashboardCards(await readOwnDashboard(database, id, timeZone));
    },
  );
};

function toDashboardCards(facts: DashboardData): Static<typeof DashboardCards> {
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
      class: parseScanClass(lastScan.class),
      scannedAt: lastScan.scannedAt.toISOString(),
    },
    notifications: { unread },
    messages: { unread: messages },
    memoryTags: { total: memoryTags },
    documents,
    attention: { total: lost + expired, codes: attention },
  };
}
