import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { Database } from '../../../platform/database.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { isOwnQrCode } from '../scan.repository.ts';
import { readScanStatistics } from './read-statistics.ts';
import { ScanStatistics, ScanStatisticsQuery, type ScanStatisticsQueryParams } from './statistics.schemas.ts';
import {
  findStatisticsPeriodErrors,
  parseStatisticsPeriods,
  type ScanStatisticsPeriod,
} from './statistics-period.rules.ts';

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
      const user = requireAuthenticatedUser(request);
      const { id } = request.params;
      if (!(await isOwnQrCode(database.client, user.id, id))) throw new ServiceError('NOT_FOUND');
      return statisticsOf({ type: 'QRCODE', id }, request.query, user.timeZone);
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
      const { id, timeZone } = requireAuthenticatedUser(request);
      return statisticsOf({ type: 'OWNER', id }, request.query, timeZone);
    },
  );

  function statisticsOf(
    subject: ScanStatisticsPeriod['subject'],
    query: ScanStatisticsQueryParams,
    ownTimeZone: string,
  ) {
    const { interval, from, to } = query;
    const timeZone = query.timeZone ?? ownTimeZone;
    const periods = parseStatisticsPeriods({ from, to, interval }, subject, timeZone, new Date());
    return database.read((db) => readScanStatistics(db, { ...periods, interval, timeZone }));
  }
};
