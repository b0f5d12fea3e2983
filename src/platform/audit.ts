import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { AuditAction, ResourceType } from '../shared/audit-actions.ts';
import { truncateAddress } from '../shared/client-address.ts';
import { type ErrorCode, ServiceError } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import { type AuditRecord, addAuditEntries, addAuditEntry } from './audit.repository.ts';
import { type Caller, callerOf } from './caller.ts';
import { damageRecord } from './damage.ts';
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
  app.addHook('onError', (request, _reply, error) => recordFailure(database, request, error));
}

/**
 * Records an error that a request ended with, where the trail must know of it: a denial to somebody signed in, a stored
 * value that does not open. For errors that Fastify does not hand out itself.
 */
export async function recordFailure(
  database: Database,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ServiceError)) return;
  const isDenied = request.user && DENIALS.includes(error.code);
  if (!isDenied && !error.damaged) return;
  try {
    await addAuditEntry(database.client, {
      ...factsOf(callerOf(request), {}),
      ...(error.damaged ? damageRecord(error.damaged) : denialOf(request)),
    });
  } catch (failure) {
    request.log.error({ err: failure }, 'a denial could not be recorded');
  }
}

function denialOf(request: FastifyRequest) {
  return {
    action: 'ACCESS_DENIED',
    outcome: 'DENIED',
    resourceType: request.routeOptions.config.audit?.resourceType ?? 'SYSTEM',
    resourceId: Object.values(request.params ?? {}).find(isId),
  } as const;
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
