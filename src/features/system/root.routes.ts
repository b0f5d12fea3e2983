import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Negotiator from 'negotiator';
import { Type } from 'typebox';
import { addVary } from '../../platform/http/add-vary.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { getBasePath } from '../../shared/base-path.ts';
import { ServiceError } from '../../shared/errors.ts';
import { SERVICE_VERSION } from '../../shared/version.ts';
import { findQrCodeIdByTypedNumber } from '../scans/index.ts';
import { toRejectedNumber } from './number-form.ts';
import { getLanguageQuery, type StartPageServices, sendStartPage } from './start-page.ts';

const Root = Type.Object({ name: Type.String(), version: Type.String(), documentation: Type.String() });

export const rootRoutes: FastifyPluginAsyncTypebox<StartPageServices> = async (app, services) => {
  app.get(
    '/',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') },
      schema: {
        operationId: 'service.get',
        tags: ['Service'],
        summary: 'Get name, version and documentation URL of the service; open a code by its short number',
        description:
          'Browsers, which prefer `text/html`, get a page with links. With `number`, the answer leads to the page of the code that has this number. 5 numbers in 15 minutes that nobody has, and 20 a day, are allowed for a network.',
        querystring: Type.Object({
          lang: Type.Optional(Type.Unknown({ description: 'Language of the page; ignored if unknown.' })),
          number: Type.Optional(
            Type.String({
              description:
                'Short number of a code, such as 7K3M-9QXR-2F4J, in any case, with or without hyphens and spaces.',
            }),
          ),
        }),
        response: {
          200: {
            description: 'About the service.',
            content: { 'application/json': { schema: Root }, 'text/html': { schema: Type.String() } },
          },
          303: { type: 'null', description: 'Redirect to the page of the code with this number.' },
          ...createProblemResponseSchemas(404),
        },
      },
    },
    async (request, reply) => {
      addVary(reply, 'Accept');
      const isPage = prefersHtml(request.headers.accept);
      const number = request.query.number?.trim();
      if (number) {
        try {
          const id = await findQrCodeIdByTypedNumber(services, number, request.clientAddress);
          const address = `${getBasePath(services.publicBaseUrl)}/s/${id}${getLanguageQuery(request)}`;
          return await reply.header('Cache-Control', 'no-store').redirect(address, 303);
        } catch (error) {
          const rejected = isPage && toRejectedNumber(error, number, choosePageLocale(request));
          if (!rejected) throw error;
          if (error instanceof ServiceError && error.retryAfterSeconds)
            reply.header('Retry-After', error.retryAfterSeconds);
          return sendStartPage(services, request, reply, rejected);
        }
      }
      if (isPage) return sendStartPage(services, request, reply);
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
