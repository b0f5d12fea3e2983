import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { stringEnum } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  createDependencyCheck,
  DEPENDENCY_STATUSES,
  type DependencyHealth,
  type DependencyServices,
} from './check-dependencies.ts';

const DependencyStatusesSchema = Type.Array(
  Type.Object({
    name: Type.String(),
    required: Type.Boolean({ description: 'Whether the service is not ready without it.' }),
    status: stringEnum(DEPENDENCY_STATUSES, {
      description: 'unknown: configured and not used since the start.',
    }),
    checkedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it was last used or checked.',
    }),
    lastSuccessAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    lastFailureAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    lastFailureCode: Type.Union([Type.String(), Type.Null()], {
      description: 'Such as `SMTP_535`, `ECONNREFUSED` or `CHECK_FAILED`.',
    }),
  }),
  { description: 'Configured dependencies with their last results.' },
);

const PUBLIC_ROUTE = { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM'), ignoresUnknownFields: true };

export const healthRoutes: FastifyPluginAsyncTypebox<DependencyServices> = async (app, services) => {
  const checkDependencies = createDependencyCheck(services);

  app.get(
    '/api/health/live',
    {
      config: { ...PUBLIC_ROUTE, rateLimitClass: 'none' },
      schema: {
        operationId: 'service.getLive',
        tags: ['Service'],
        summary: 'Check that the process is running',
        description:
          '200 while the process runs, whatever the state of the database. Restart it when this fails.',
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
        operationId: 'service.getReady',
        tags: ['Service'],
        summary: 'Check that requests can be served; lists the dependencies with their last results',
        description:
          '503 while the database or another required dependency is down: send no requests then. A degraded service is 200 with the names in `degraded`.',
        response: {
          200: Type.Object({
            status: Type.Literal('ready'),
            degraded: Type.Optional(
              Type.Array(Type.String(), {
                description:
                  'Names of optional dependencies that are unavailable. Rate limits stay in force.',
              }),
            ),
            warnings: Type.Optional(
              Type.Array(Type.Enum(['TRUST_PROXY', 'CLIENT_ADDRESS_HEADER']), {
                description:
                  'Settings to correct, because clients count as one. TRUST_PROXY: requests come through a proxy that it does not name. CLIENT_ADDRESS_HEADER: a proxy does not send it, or no readable address in it.',
              }),
            ),
            dependencies: DependencyStatusesSchema,
          }),
          ...createProblemResponseSchemas(503),
        },
      },
    },
    async () => {
      const dependencies = await checkDependencies();
      assertReady(dependencies);
      const warnings = app.listProxyWarnings();
      const degraded = dependencies.filter(({ status }) => status === 'down').map(({ name }) => name);
      return {
        status: 'ready' as const,
        ...(degraded.length > 0 ? { degraded } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
        dependencies,
      };
    },
  );
};

/** @throws DATABASE_UNAVAILABLE, PROVIDER_UNAVAILABLE with all dependencies */
function assertReady(dependencies: DependencyHealth[]): void {
  const missing = dependencies.find(({ required, status }) => required && status === 'down');
  if (!missing) return;
  const members = { dependencies };
  if (missing.name === 'database')
    throw new ServiceError('DATABASE_UNAVAILABLE', { retryAfterSeconds: 1, members });
  throw new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5, members });
}
