import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ERRORS } from '../../catalogue.ts';
import { sendServicePage } from '../../platform/http/service-page.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';

/** A page for each error code, at the address in `type` of a problem document (RFC 9457). */
export const errorDocumentationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/api/docs/errors/:code',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') },
      schema: { hide: true, params: Type.Object({ code: Type.String() }) },
    },
    async (request, reply) => {
      const { code } = request.params;
      const error = Object.entries(ERRORS).find(([name]) => name === code)?.[1];
      if (!error) throw new ServiceError('NOT_FOUND');
      const retryNote = error.retry
        ? 'The same request may succeed later.'
        : 'The same request will fail again.';
      return sendServicePage(reply, {
        title: `${code} (${error.status})`,
        body: html`<h1><code>${code}</code></h1><p><strong>${error.title}</strong></p><p>${error.meaning}</p>
<p>Status ${error.status}. ${retryNote}</p><p><a href="/api/docs">Documentation</a></p>`,
      });
    },
  );
};
