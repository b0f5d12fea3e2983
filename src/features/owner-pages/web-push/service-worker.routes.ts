import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { createServiceWorker, SERVICE_WORKER_PATH } from './service-worker.ts';

/** The service worker. Browsers ask for a newer one by themselves. */
export const serviceWorkerRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, { brand }) => {
  const serviceWorker = createServiceWorker(brand.name);

  app.get(
    `/${SERVICE_WORKER_PATH}`,
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM'), rateLimitClass: 'static' },
      schema: { hide: true },
    },
    (_request, reply) =>
      reply.header('Cache-Control', 'no-cache').type('text/javascript; charset=utf-8').send(serviceWorker),
  );
};
