import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { callerOf } from '../../platform/caller.ts';
import { account, audited } from '../../platform/route-access.ts';
import { ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { AuditVerification } from './audit-log.schemas.ts';
import type { AuditServices } from './audit-services.ts';
import { exportTrail } from './export-trail.ts';
import { verifyTrail } from './verify-trail.ts';

const JSON_LINES = 'application/x-ndjson';

const SEALED_ANSWER = {
  description: 'The sealed trail.',
  content: Object.fromEntries([[JSON_LINES, { schema: { type: 'string' } }]]),
};

/** The proof of the trail: checked here, or exported for whoever has the public key. */
export const trailProofRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (
  app,
  { database, audit },
) => {
  // Each holds a connection for as long as it takes.
  let walking = false;
  const begin = () => {
    if (walking) throw new ServiceError('BUSY', { retryAfterSeconds: 10 });
    walking = true;
  };
  const end = () => {
    walking = false;
  };

  app.get(
    '/verify',
    {
      exposeHeadRoute: false,
      config: { access: account('audit:read'), audit: audited('AUDIT_LOG_VERIFIED') },
      schema: {
        operationId: 'audit.verify',
        tags: ['Audit'],
        summary: 'Check the whole trail: the first entry that is wrong, and how.',
        description:
          'Against the chain, the signatures, and what was written outside the database. Takes about a minute for a million entries; one at a time.',
        response: { 200: ref(AuditVerification) },
      },
    },
    async (request, reply) => {
      begin();
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      // They may have left before.
      if (reply.raw.destroyed) gone.abort();
      try {
        await database.transaction((tx) => recordAction(tx, callerOf(request)));
        const verification = await verifyTrail(audit, { signal: gone.signal });
        return { ...verification, at: new Date().toISOString() };
      } catch (error) {
        if (error !== gone.signal.reason) throw error;
        // Nobody is there to be answered, and nothing went wrong.
        return reply.hijack();
      } finally {
        end();
      }
    },
  );

  app.get(
    '/sealed',
    {
      exposeHeadRoute: false,
      config: { access: account('audit:read'), audit: audited('AUDIT_TRAIL_EXPORTED') },
      schema: {
        operationId: 'audit.exportSealed',
        tags: ['Audit'],
        summary: 'The whole sealed trail with its signatures, oldest first: verified without this service.',
        description:
          'JSON lines, as docs/audit-trail.md defines them; `npm run audit:verify -- --export <file> --public-key <file>` checks them. One at a time.',
        response: { 200: SEALED_ANSWER },
      },
    },
    async (request, reply) => {
      begin();
      try {
        await database.transaction((tx) => recordAction(tx, callerOf(request)));
        const lines = Readable.from(linesOf(exportTrail(audit)));
        // Also where it is closed before it was read to the end.
        lines.on('close', end);
        return reply
          .type(`${JSON_LINES}; charset=utf-8`)
          .header('Content-Disposition', 'attachment; filename="audit-trail.jsonl"')
          .send(lines);
      } catch (error) {
        end();
        throw error;
      }
    },
  );
};

async function* linesOf(trail: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const line of trail) yield `${line}\n`;
}
