import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { AuditAction, ResourceType } from '../shared/audit-actions.ts';
import { truncateAddress } from '../shared/client-address.ts';
import { type ErrorCode, ServiceError } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import { type AuditRecord, addAuditEntries, addAuditEntry } from './audit.repository.ts';
import { type Caller, callerOf } from './caller.ts';
import type { Database, Tx } from './database.ts';

/** What is added to what the caller and the route already say. */
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

/** Errors that mean: somebody reached for what is not theirs. */
const DENIALS: readonly ErrorCode[] = [
  'FORBIDDEN',
  'NOT_FOUND',
  'ACCOUNT_SUSPENDED',
  'PROFILE_REQUIRED',
  'MFA_ENROLLMENT_REQUIRED',
  'REAUTHENTICATION_REQUIRED',
  'EXPORT_KEY_REQUIRED',
];

/** Records what no handler does: denials, and failed integrity checks. */
async function auditPlugin(app: FastifyInstance, { database }: { database: Database }) {
  // Before the answer is sent: a denial that is answered is recorded.
  app.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof ServiceError)) return;
    const denied = request.user && DENIALS.includes(error.code);
    if (!denied && error.code !== 'DATA_INTEGRITY') return;
    const resourceId = Object.values(request.params ?? {}).find(isId);
    const record: AuditRecord = {
      ...factsOf(callerOf(request), resourceId ? { resourceId } : {}),
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

export const auditTrail = fp(auditPlugin, { name: 'audit', dependencies: ['authentication'] });

/** Writes the entry of what a caller did, in the transaction of what it records: the action of the route, or another. */
export async function recordAction(tx: Tx, caller: Caller, details: AuditDetails = {}): Promise<void> {
  const action = details.action ?? caller.audit?.action;
  if (!action) throw new Error(`No audit action is declared for ${caller.operation}.`);
  await addAuditEntry(tx, { ...factsOf(caller, details), action, outcome: details.outcome ?? 'SUCCESS' });
}

/** The same of several records of one type, an entry for each: in one statement, so bound how many they are. */
export async function recordActionOnEach(
  tx: Tx,
  caller: Caller,
  resourceIds: readonly string[],
  details: Omit<AuditDetails, 'resourceId'> = {},
): Promise<void> {
  const action = details.action ?? caller.audit?.action;
  if (!action) throw new Error(`No audit action is declared for ${caller.operation}.`);
  const { resourceId: _none, ...facts } = factsOf(caller, details);
  await addAuditEntries(tx, { ...facts, action, outcome: details.outcome ?? 'SUCCESS' }, resourceIds);
}

function factsOf(caller: Caller, details: AuditDetails) {
  return {
    resourceType: details.resourceType,
    resourceId: details.resourceId,
    actorId: details.actorId ?? caller.user?.id,
    operation: caller.operation,
    requestId: caller.requestId,
    origin: {
      ip: details.wholeAddress ? caller.address : truncateAddress(caller.address),
      userAgent: caller.userAgent,
    },
    changes: details.changes,
  };
}
