import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { Database } from '../../../platform/database.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../../shared/common.schemas.ts';
import { readOwnQrCodeStatistics, readOwnScanStatistics } from './read-own-statistics.ts';
import { ScanStatistics, ScanStatisticsQuery, type ScanStatisticsQueryParams } from './statistics.schemas.ts';
import { findStatisticsPeriodErrors } from './statistics-period.rules.ts';

export const scanStatisticsRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  const config = {
    access: allowUsers('scans:own'),
    audit: skipAudit('SCAN'),
    cache: 'revalidate',
    findQueryErrors: (query: Partial<ScanStatisticsQueryParams>, request: FastifyRequest) =>
      findStatisticsPeriodErrors(query, requireAuthenticatedUser(request).timeZone),
  } as const;

  app.get(
    '/qrcodes/:id/stats',
    {
      config,
      schema: {
        operationId: 'qrcodes.getStats',
        tags: ['QR codes'],
        summary: 'Get statistics of a code',
        description: 'Scans by time, place, device and class. Counts are exact and include the latest scans.',
        params: createIdParamsSchema('id'),
        querystring: ScanStatisticsQuery,
        response: { 200: schemaRef(ScanStatistics), ...createProblemResponseSchemas(404) },
      },
    },
    async (request) => {
      const { id: accountId } = requireAccount(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const { id } = request.params;
      return readOwnQrCodeStatistics(database, { accountId, id }, { timeZone, ...request.query });
    },
  );

  app.get(
    '/scans/stats',
    {
      config,
      schema: {
        operationId: 'scans.getStats',
        tags: ['Scans'],
        summary: 'Get statistics of all your codes',
        description: 'Scans by time, place, device and class. Counts are exact and include the latest scans.',
        querystring: ScanStatisticsQuery,
        response: { 200: schemaRef(ScanStatistics) },
      },
    },
    async (request) => {
      const { id } = requireAccount(request);
      const { timeZone } = requireAuthenticatedUser(request);
      return readOwnScanStatistics(database, id, { timeZone, ...request.query });
    },
  );
};
