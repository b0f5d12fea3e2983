import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Negotiator from 'negotiator';
import { Type } from 'typebox';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { SERVICE_VERSION } from '../../shared/version.ts';
import { type StartPageServices, sendStartPage } from './start-page.ts';

const Root = Type.Object({ name: Type.String(), version: Type.String(), documentation: Type.String() });

export const rootRoutes: FastifyPluginAsyncTypebox<StartPageServices> = async (app, services) => {
  app.get(
    '/',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') },
      schema: {
        operationId: 'service.get',
        tags: ['Service'],
        summary: 'Get name, version and documentation URL of the service',
        description: 'Browsers, which prefer `text/html`, get a page with links.',
        response: {
          200: {
            description: 'About the service.',
            content: { 'application/json': { schema: Root }, 'text/html': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const vary = [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', ');
      reply.header('Vary', vary);
      if (prefersHtml(request.headers.accept)) return sendStartPage(services, request, reply);
      return reply.type('application/json; charset=utf-8').send({
        name: 'QR Profile Service',
        version: SERVICE_VERSION,
        documentation: `${services.publicBaseUrl}/api/docs`,
      });
    },
  );
};

/** JSON for programs that accept anything. */
function prefersHtml(accept: string | undefined): boolean {
  const types = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaTypes([
    'application/json',
    'text/html',
  ]);
  return types[0] === 'text/html';
}
