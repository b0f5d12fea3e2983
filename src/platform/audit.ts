import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { AuditAction, ResourceType } from '../shared/audit-actions.ts';
import { truncateIpAddress } from '../shared/client-address.ts';
import { type ErrorCode, ServiceError } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import { insertAuditEntries, insertAuditEntry, type NewAuditEntry } from './audit.repository.ts';
import type { Database, Tx } from './database.ts';
import { toIntegrityFailureEntry } from './integrity-failure.ts';
import { getRequestContext, type RequestContext } from './request-context.ts';

/** What is added to what the caller and the route already say. */
interface AuditDetails {
  /** Another action than the route declares. */
  action?: AuditAction;
  outcome?: NewAuditEntry['outcome'];
  resourceType?: ResourceType;
  resourceId?: string;
  /** Who did it, where the request has no credential yet (a log-in). */
  actorId?: string;
  changes?: readonly string[];
  /** Keep the whole address: for log-ins only. */
  storeFullAddress?: boolean;
}

/** Errors that mean: somebody reached for what is not theirs. */
const DENIAL_ERROR_CODES: readonly ErrorCode[] = [
  'FORBIDDEN',
  'NOT_FOUND',
  'ACCOUNT_SUSPENDED',
  'PROFILE_REQUIRED',
  'MFA_ENROLLMENT_REQUIRED',
  'REAUTHENTICATION_REQUIRED',
  'EXPORT_KEY_REQUIRED',
];

/** Records what no handler does: denials, and failed integrity checks. */
async function registerAuditHooks(app: FastifyInstance, { database }: { database: Database }) {
  // Before the answer is sent: a denial that is answered is recorded.
  app.addHook('onError', (request, _reply, error) => recordRequestFailure(database, request, error));
}

/**
 * Records an error that a request ended with, where the trail must know of it: a denial to somebody signed in, a stored
 * value that does not open. For errors that Fastify does not hand out itself.
 */
export async function recordRequestFailure(
  database: Database,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ServiceError)) return;
  const isDenied = request.user && DENIAL_ERROR_CODES.includes(error.code);
  if (!isDenied && !error.integrityFailure) return;
  try {
    await insertAuditEntry(database.client, {
      ...toAuditEntryFields(getRequestContext(request), {}),
      ...(error.integrityFailure ? toIntegrityFailureEntry(error.integrityFailure) : toDenialEntry(request)),
    });
  } catch (failure) {
    request.log.error({ err: failure }, 'a denial could not be recorded');
  }
}

function toDenialEntry(request: FastifyRequest) {
  return {
    action: 'ACCESS_DENIED',
    outcome: 'DENIED',
    resourceType: request.routeOptions.config.audit?.resourceType ?? 'SYSTEM',
    resourceId: Object.values(request.params ?? {}).find(isId),
  } as const;
}

export const auditTrailPlugin = fp(registerAuditHooks, { name: 'audit', dependencies: ['authentication'] });

/** Writes the entry of what a caller did, in the transaction of what it records: the action of the route, or another. */
export async function recordAuditEntry(
  tx: Tx,
  context: RequestContext,
  details: AuditDetails = {},
): Promise<void> {
  const action = details.action ?? context.audit?.action;
  if (!action) throw new Error(`No audit action is declared for ${context.operation}.`);
  await insertAuditEntry(tx, {
    ...toAuditEntryFields(context, details),
    action,
    outcome: details.outcome ?? 'SUCCESS',
  });
}

/** The same of several records of one type, an entry for each: in one statement, so bound how many they are. */
export async function recordAuditEntries(
  tx: Tx,
  context: RequestContext,
  resourceIds: readonly string[],
  details: Omit<AuditDetails, 'resourceId'> = {},
): Promise<void> {
  const action = details.action ?? context.audit?.action;
  if (!action) throw new Error(`No audit action is declared for ${context.operation}.`);
  const { resourceId: _none, ...fields } = toAuditEntryFields(context, details);
  await insertAuditEntries(tx, { ...fields, action, outcome: details.outcome ?? 'SUCCESS' }, resourceIds);
}

function toAuditEntryFields(context: RequestContext, details: AuditDetails) {
  return {
    resourceType: details.resourceType,
    resourceId: details.resourceId,
    actorId: details.actorId ?? context.user?.id,
    operation: context.operation,
    requestId: context.requestId,
    origin: {
      ip: details.storeFullAddress ? context.address : truncateIpAddress(context.address),
      userAgent: context.userAgent,
    },
    changes: details.changes,
  };
}
