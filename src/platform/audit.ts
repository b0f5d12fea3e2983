import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { AuditAction, ResourceType } from '../shared/audit-actions.ts';
import { cutUserAgent, plainAddress, truncateAddress } from '../shared/client-address.ts';
import { type ErrorCode, ServiceError } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import { type AuditRecord, addAuditEntry } from './audit.repository.ts';
import type { Database, Tx } from './database.ts';

/** What a handler adds to the facts that the request and its route already know. */
interface AuditDetails {
  /** Another action than the route declares. */
  action?: AuditAction;
  outcome?: AuditRecord['outcome'];
  resourceType?: ResourceType;
  resourceId?: string;
  /** Who did it, where the request has no credential yet (a log-in). */
  actorId?: string;
  changes?: readonly string[];
  /** Keep the whole address: for log-ins only. */
  wholeAddress?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Writes the route's audit entry in the transaction of what it records. */
    audit(tx: Tx, details?: AuditDetails): Promise<void>;
  }
}

/** Errors that mean: somebody reached for what is not theirs. */
const DENIALS: readonly ErrorCode[] = ['FORBIDDEN', 'NOT_FOUND', 'ACCOUNT_SUSPENDED', 'PROFILE_REQUIRED'];

/** The audit trail of requests: what handlers record, denials, and failed integrity checks. */
async function auditPlugin(app: FastifyInstance, { database }: { database: Database }) {
  app.decorateRequest('audit', async function (this: FastifyRequest, tx: Tx, details: AuditDetails = {}) {
    const action = details.action ?? this.routeOptions.config.audit?.action;
    if (!action) throw new Error(`No audit action declared for ${this.routeOptions.url}`);
    await addAuditEntry(tx, { ...factsOf(this, details), action, outcome: details.outcome ?? 'SUCCESS' });
  });

  // Before the answer is sent: a denial that is answered is recorded.
  app.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof ServiceError)) return;
    const denied = request.user && DENIALS.includes(error.code);
    if (!denied && error.code !== 'DATA_INTEGRITY') return;
    const resourceId = Object.values(request.params ?? {}).find(isId);
    const record: AuditRecord = {
      ...factsOf(request, resourceId ? { resourceId } : {}),
      action: denied ? 'ACCESS_DENIED' : 'DATA_INTEGRITY_FAILED',
      resourceType: request.routeOptions.config.audit?.resourceType ?? 'SYSTEM',
      outcome: denied ? 'DENIED' : 'FAILURE',
    };
    try {
      await addAuditEntry(database.client, record);
    } catch (failure) {
      request.log.error({ err: failure }, 'a denial could not be recorded');
    }
  });
}

export const audit = fp(auditPlugin, { name: 'audit', dependencies: ['authentication'] });

function factsOf(request: FastifyRequest, details: AuditDetails) {
  return {
    resourceType: details.resourceType,
    resourceId: details.resourceId,
    actorId: details.actorId ?? request.user?.id,
    operation: String(request.routeOptions.schema?.operationId ?? request.routeOptions.url ?? 'unknown'),
    requestId: request.id,
    origin: {
      ip: details.wholeAddress ? plainAddress(request.ip) : truncateAddress(request.ip),
      userAgent: cutUserAgent(request.headers['user-agent']),
    },
    changes: details.changes,
  };
}
