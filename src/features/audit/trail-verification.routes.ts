import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { createDisconnectSignal } from '../../platform/http/client-disconnect.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { CONTENT_DISPOSITION_HEADER } from '../../platform/openapi-headers.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { AuditVerificationResponse } from './audit-log.schemas.ts';
import type { AuditServices } from './audit-services.ts';
import { exportAuditTrail } from './export-trail.ts';
import { verifyDatabaseAuditTrail } from './verify-database-trail.ts';

const JSON_LINES_TYPE = 'application/x-ndjson';

const SEALED_TRAIL_RESPONSE = {
  description: 'The sealed trail.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: Object.fromEntries([[JSON_LINES_TYPE, { schema: { type: 'string' } }]]),
};

/** Routes of auditors to verify the trail or export it for verification. */
export const trailVerificationRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (
  app,
  { database, audit },
) => {
  // One at a time: each uses a connection for as long as it takes.
  let isRunning = false;
  const begin = () => {
    if (isRunning) throw new ServiceError('BUSY', { retryAfterSeconds: 10 });
    isRunning = true;
  };
  const end = () => {
    isRunning = false;
  };

  app.get(
    '/verify',
    {
      config: { access: allowUsers('audit:read'), audit: auditAs('AUDIT_LOG_VERIFIED') },
      schema: {
        operationId: 'audit.verify',
        tags: ['Audit'],
        summary: 'Verify the audit trail and return the first invalid entry',
        description:
          'Checks the chain, the signatures and the external checkpoints. Takes about a minute per million entries. Only one verification or export runs at a time.',
        response: { 200: schemaRef(AuditVerificationResponse) },
      },
    },
    async (request, reply) => {
      begin();
      const disconnect = createDisconnectSignal(reply);
      try {
        await commitAuditEntry(database, getRequestContext(request));
        const verification = await verifyDatabaseAuditTrail(audit, { signal: disconnect });
        return { ...verification, at: new Date().toISOString() };
      } catch (error) {
        if (error !== disconnect.reason) throw error;
        // The client disconnected: no response and no failure.
        return reply.hijack();
      } finally {
        end();
      }
    },
  );

  app.get(
    '/sealed',
    {
      config: { access: allowUsers('audit:read'), audit: auditAs('AUDIT_TRAIL_EXPORTED') },
      schema: {
        operationId: 'audit.exportSealed',
        tags: ['Audit'],
        summary: 'Export the sealed trail with its signatures, oldest first',
        description:
          'JSON Lines, defined in docs/security/audit-trail.md. Verify the file without this service: `npm run audit -- verify --export <file> --public-key <file>`. Only one verification or export runs at a time.',
        response: { 200: SEALED_TRAIL_RESPONSE },
      },
    },
    async (request, reply) => {
      const setHeaders = () =>
        reply
          .type(`${JSON_LINES_TYPE}; charset=utf-8`)
          .header('Content-Disposition', 'attachment; filename="audit-trail.jsonl"');
      if (request.method === 'HEAD') return sendHeadersOnly(setHeaders());
      begin();
      try {
        await commitAuditEntry(database, getRequestContext(request));
        const lines = Readable.from(addLineEnds(exportAuditTrail(audit)));
        // Also if the stream is closed before it was read to the end.
        lines.on('close', end);
        return setHeaders().send(lines);
      } catch (error) {
        end();
        throw error;
      }
    },
  );
};

async function* addLineEnds(trail: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const line of trail) yield `${line}\n`;
}
