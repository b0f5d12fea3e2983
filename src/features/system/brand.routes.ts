import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { BRAND_LOGO_PATH, type Brand } from '../../shared/brand.ts';
import { ServiceError } from '../../shared/errors.ts';

/** The logo of the operator, for pages and emails. */
export const brandRoutes: FastifyPluginAsyncTypebox<{ brand: Pick<Brand, 'logo'> }> = async (
  app,
  { brand: { logo } },
) => {
  app.get(
    BRAND_LOGO_PATH,
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM'), rateLimitClass: 'static' },
      schema: { hide: true },
    },
    async (_request, reply) => {
      if (!logo) throw new ServiceError('NOT_FOUND');
      return (
        reply
          // An SVG file is a document: opened by itself, it must not run scripts of this origin.
          .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
          .header('Cross-Origin-Resource-Policy', 'cross-origin')
          .header('Cache-Control', 'public, max-age=3600')
          .type(logo.contentType)
          .send(logo.bytes)
      );
    },
  );
};
