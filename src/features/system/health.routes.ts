import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Database } from '../../platform/database.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import type { RedisConnection } from '../../platform/redis.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';

export interface HealthRouteServices {
  database: Database;
  redis: RedisConnection | null;
  version: string;
  publicBaseUrl: string;
}

const PUBLIC_ROUTE = { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') };

export const healthRoutes: FastifyPluginAsyncTypebox<HealthRouteServices> = async (app, service) => {
  app.get(
    '/',
    {
      config: PUBLIC_ROUTE,
      schema: {
        operationId: 'service.root',
        tags: ['Service'],
        summary: 'Get name, version and documentation URL of the service.',
        response: {
          200: Type.Object({ name: Type.String(), version: Type.String(), documentation: Type.String() }),
        },
      },
    },
    async () => ({
      name: 'QR Profile Service',
      version: service.version,
      documentation: `${service.publicBaseUrl}/api/docs`,
    }),
  );

  app.get(
    '/api/health/live',
    {
      config: { ...PUBLIC_ROUTE, rateLimitClass: 'none' },
      schema: {
        operationId: 'service.live',
        tags: ['Service'],
        summary: 'Check that the process is running.',
        response: { 200: Type.Object({ status: Type.Literal('live') }) },
      },
    },
    async () => ({ status: 'live' as const }),
  );

  app.get(
    '/api/health/ready',
    {
      config: { ...PUBLIC_ROUTE, rateLimitClass: 'none' },
      schema: {
        operationId: 'service.ready',
        tags: ['Service'],
        summary: 'Check that requests can be served; `degraded` lists unavailable optional dependencies.',
        response: {
          200: Type.Object({
            status: Type.Literal('ready'),
            degraded: Type.Optional(
              Type.Array(Type.Literal('redis'), {
                description: 'Configured dependencies that are unavailable. Rate limits stay in force.',
              }),
            ),
          }),
          ...createProblemResponseSchemas(503),
        },
      },
    },
    async () => {
      try {
        await service.database.ping();
      } catch (error) {
        throw new ServiceError('DATABASE_UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
      }
      const isDegraded = service.redis !== null && !service.redis.isUp();
      return { status: 'ready' as const, ...(isDegraded ? { degraded: ['redis' as const] } : {}) };
    },
  );
};
