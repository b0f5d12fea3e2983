import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../platform/audit.ts';
import { createDisconnectSignal } from '../../platform/http/client-disconnect.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { AuditServices, TrailLock } from './audit-services.ts';
import { exportAuditTrail } from './export-trail.ts';
import { type DatabaseTrailVerification, verifyDatabaseAuditTrail } from './verify-database-trail.ts';

export const JSON_LINES_TYPE = 'application/x-ndjson';

/** One at a time in a process: each uses a connection for as long as it takes. */
export function createTrailLock(): TrailLock {
  let isLocked = false;
  return {
    acquire() {
      if (isLocked) throw new ServiceError('BUSY', { retryAfterSeconds: 10 });
      isLocked = true;
      return () => {
        isLocked = false;
      };
    },
  };
}

/**
 * Verify the trail for the client of a request, until it disconnects: then undefined, and the reply is hijacked.
 * @throws BUSY
 */
export async function verifyTrailForClient(
  { database, audit }: AuditServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DatabaseTrailVerification | undefined> {
  const release = audit.lock.acquire();
  const disconnect = createDisconnectSignal(reply);
  try {
    await commitAuditEntry(database, getRequestContext(request));
    return await verifyDatabaseAuditTrail(audit, { signal: disconnect });
  } catch (error) {
    if (error !== disconnect.reason) throw error;
    // The client disconnected: no response and no failure.
    reply.hijack();
    return undefined;
  } finally {
    release();
  }
}

/** Send the sealed trail as a file, oldest entry first. @throws BUSY */
export async function sendSealedTrail(
  { database, audit }: AuditServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const setHeaders = () =>
    reply
      .type(`${JSON_LINES_TYPE}; charset=utf-8`)
      .header('Content-Disposition', 'attachment; filename="audit-trail.jsonl"');
  if (request.method === 'HEAD') return sendHeadersOnly(setHeaders());
  const release = audit.lock.acquire();
  try {
    await commitAuditEntry(database, getRequestContext(request));
    const lines = Readable.from(addLineEnds(exportAuditTrail(audit)));
    // Also if the stream is closed before it was read to the end.
    lines.on('close', release);
    return setHeaders().send(lines);
  } catch (error) {
    release();
    throw error;
  }
}

async function* addLineEnds(trail: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const line of trail) yield `${line}\n`;
}
